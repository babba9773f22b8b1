/** The input does not satisfy the circuit, or is not its input. Says nothing about the values. */
export class UnsatisfiedCircuit extends Error {
  override readonly name = "UnsatisfiedCircuit";
  constructor() {
    super("The input does not satisfy the circuit.");
  }
}
