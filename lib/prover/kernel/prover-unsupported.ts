/** The runtime, such as an old browser, cannot run the prover. The message is shown to the user. */
export class ProverUnsupported extends Error {
  override readonly name = "ProverUnsupported";
  constructor() {
    super("Proofs need WebAssembly with 128-bit SIMD, which this browser lacks. Update it, or use another one.");
  }
}
