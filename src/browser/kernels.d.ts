/** The bundler replaces the import of a kernel by its bytes in base64. */
declare module '*.wasm' {
  const base64: string;
  export default base64;
}
