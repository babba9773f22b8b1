import { randomUUID } from "node:crypto";
import { sql } from "./client";
import { databaseAway, forgetWriteRefused, sinceWriteRefused, troubleOf } from "./database-away";

/** A small write may still find a place on a disk that is full for others, so one that succeeds proves little at once. */
const REST_MS = 10_000;

/**
 * Reports whether the database takes writes. Assumes so until it has refused one of this process for its own state
 * ({@link sinceWriteRefused}). Then, from ten seconds after the latest refusal, each call tries a write.
 *
 * @param restMs how long after a refusal none is tried
 * @throws an error of the driver if the database is away
 */
export async function takesWrites(restMs = REST_MS): Promise<boolean> {
  const since = sinceWriteRefused();
  if (since === Number.POSITIVE_INFINITY) return true;
  if (since < restMs) return false;
  try {
    await sql().begin(async (tx) => {
      const id = randomUUID();
      await tx`insert into siwe_nonces (nonce, expires_at) values (${id}, now())`;
      await tx`delete from siwe_nonces where nonce = ${id}`;
    });
  } catch (error) {
    // Records a refusal.
    databaseAway(error);
    if (troubleOf(error) === "busy") return false;
    throw error;
  }
  forgetWriteRefused();
  return true;
}
