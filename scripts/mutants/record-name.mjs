/** Returns the name of the file that has the numbers of the mutants that a test file reached. */
export function nameOfRecord(testFile) {
  return testFile.replaceAll('/', '+');
}
