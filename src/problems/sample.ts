/** A sample of a problem statement: an input and its output. */
export interface Sample {
  readonly input: string;
  readonly answers: string;
}
