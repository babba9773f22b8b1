/** The part of ffjavascript (no types of its own) that the prover uses: the WebAssembly code of BN254. */
declare module "ffjavascript" {
  interface Bn128 {
    tm: { code: Uint8Array };
    Fr: { w: Uint8Array[] };
    prePSize: number;
    preQSize: number;
    Gt: { n8: number };
    terminate(): Promise<void>;
  }
  export function buildBn128(singleThread: boolean): Promise<Bn128>;
}
