import type { Context } from "../../context/context";

/** Loads what a program needs to pay with home keys of a network, so that its first payment need not wait for it. */
export async function loadAhead(context: Context): Promise<void> {
  await Promise.all([context.info(), context.loadCircuit("transfer")]);
}
