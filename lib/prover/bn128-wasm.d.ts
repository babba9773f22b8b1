/** BN254 in WebAssembly, as wasmcurves (no types of its own) ships it. */
declare module "wasmcurves/build/bn128_wasm.js" {
  /** The WebAssembly module in base64. */
  export const code: string;
  /** Sizes of prepared points in bytes. */
  export const prePSize: number;
  export const preQSize: number;
}
