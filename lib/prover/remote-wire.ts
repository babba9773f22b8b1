import type { Hex } from "viem";
import { z } from "zod";
import { CIRCUITS, type CircuitInput, type CircuitName, type ProofResult } from "@/lib/ledger/prepare/witness";

/** Maximum size of a request. The largest circuit's input is a few kilobytes. */
export const MOST_BYTES = 256 * 1024;

const number = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt);
const JobBody = z.strictObject({
  circuit: z.enum(CIRCUITS),
  /** Pseudonym of the account. Jobs of one account wait for each other, not for those of other accounts. */
  turn: z.string().regex(/^[0-9a-f]{0,16}$/),
  input: z.record(z.string().regex(/^\w{1,64}$/), z.union([number, z.array(number).max(2_048)])),
});
const ProofBody = z.strictObject({
  proof: z
    .string()
    .regex(/^0x[0-9a-f]{512}$/)
    .transform((text) => text as Hex),
  signals: z.array(number).max(256),
});

/** A request to make a proof. */
export interface ProverRequest {
  circuit: CircuitName;
  turn: string;
  input: CircuitInput;
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

export function writeJob({ circuit, turn, input }: ProverRequest): Buffer {
  const values = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === "bigint" ? hex(value) : value.map(hex),
  ]);
  return Buffer.from(JSON.stringify({ circuit, turn, input: Object.fromEntries(values) }));
}

/** Returns undefined if the body is not a valid job. No error describes the body, since it contains amounts. */
export function readJob(body: Buffer): ProverRequest | undefined {
  return parsed(JobBody, body);
}

export function writeProof({ proof, publicSignals }: ProofResult): string {
  return JSON.stringify({ proof, signals: publicSignals.map(hex) });
}

/** Returns undefined if the body is not a valid proof. */
export function readProof(body: Buffer): ProofResult | undefined {
  const read = parsed(ProofBody, body);
  return read && { proof: read.proof, publicSignals: read.signals };
}

function parsed<T>(schema: z.ZodType<T>, body: Buffer): T | undefined {
  try {
    return schema.parse(JSON.parse(body.toString("utf8")));
  } catch {
    return undefined;
  }
}
