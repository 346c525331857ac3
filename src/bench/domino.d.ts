/** Types for the part of domino that plots.ts uses. The types in the package are declared under another module name. */
declare module '@mixmark-io/domino' {
  const domino: {
    /** Parses HTML and returns a document with the DOM interface of browsers. */
    createDocument(html: string): unknown;
  };
  export default domino;
}
