import { curves } from "snarkjs";

/** A field in snarkjs's own implementation. */
interface ReferenceField<T> {
  e(value: T): Uint8Array;
  fromObject(value: T): Uint8Array;
  toObject(bytes: Uint8Array): T;
  mul(a: Uint8Array, b: Uint8Array): Uint8Array;
}

/**
 * What tests compare the kernel with: the base field, its extension, and the scalar field with snarkjs's random
 * scalars.
 */
export interface ReferencePoint {
  f1: ReferenceField<bigint>;
  f2: ReferenceField<readonly [bigint, bigint]>;
  scalars: ReferenceField<bigint> & { random(): Uint8Array };
}

/** Loads the single-threaded arithmetic of snarkjs, a development dependency. */
export async function reference(): Promise<ReferencePoint> {
  const { F1, F2, Fr } = (await curves.getCurveFromName("bn128")) as unknown as {
    F1: ReferencePoint["f1"];
    F2: ReferencePoint["f2"];
    Fr: ReferencePoint["scalars"];
  };
  return { f1: F1, f2: F2, scalars: Fr };
}
