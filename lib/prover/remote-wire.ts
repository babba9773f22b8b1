import type { Hex } from "viem";
import { z } from "zod";
import { CIRCUITS, type CircuitInput, type CircuitName, type ProofResult } from "@/lib/ledger/prepare/witness";

/** The most that a request has: the largest circuit's input is a few kilobytes. */
export const MOST_BYTES = 256 * 1024;

const number = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt);
const JobBody = z.strictObject({
  circuit: z.enum(CIRCUITS),
  /** Whose turn it is, as a pseudonym: jobs of one account wait for each other and not for those of others. */
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

/** A proof to make. */
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

/** Undefined for whatever is none. Says nothing about what it holds. */
export function readJob(body: Buffer): ProverRequest | undefined {
  return parsed(JobBody, body);
}

export function writeProof({ proof, publicSignals }: ProofResult): string {
  return JSON.stringify({ proof, signals: publicSignals.map(hex) });
}

/** Undefined for whatever is none. */
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
