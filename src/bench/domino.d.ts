/** The part that plots.ts uses; the package's own types declare another name. */
declare module '@mixmark-io/domino' {
  const domino: {
    /** A document as browsers have it. */
    createDocument(html: string): unknown;
  };
  export default domino;
}
