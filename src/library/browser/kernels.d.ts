/** The kernels in base64, by their names. The bundler writes this module. */
declare module 'boardmill:kernels' {
  const kernels: Readonly<Record<string, string>>;
  export default kernels;
}
