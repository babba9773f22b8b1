/** The runtime cannot run the prover's code: an old browser. The message is for the person who uses it. */
export class ProverUnsupported extends Error {
  override readonly name = "ProverUnsupported";
  constructor() {
    super("Proofs need WebAssembly with 128-bit SIMD, which this browser lacks. Update it, or use another one.");
  }
}
