/** A sample of a problem statement. */
export interface Sample {
  readonly input: string;
  readonly answers: string;
}
