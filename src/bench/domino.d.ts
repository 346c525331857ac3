/** Types for the part of domino that plots.ts uses. The types in the package are declared under another module name. */
declare module '@mixmark-io/domino' {
  const domino: {
    /** Returns an empty document with the DOM interface of browsers. */
    createDocument(): unknown;
  };
  export default domino;
}
