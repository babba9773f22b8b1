import { randomUUID, timingSafeEqual } from "node:crypto";
import { sql as statement } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sql } from "@/db/client";
import { ApiError } from "@/lib/base/errors";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import { decrypt, encrypt } from "@/lib/ledger/crypto/aead";
import { utf8 } from "@/lib/ledger/crypto/bytes";
import { type FingerprintedRequest, fingerprintOf } from "./fingerprint-of";
import { PROCESS_LOCKS, thisProcess } from "./this-process";

/** The stored response to a request, which repetitions get again. */
export interface StoredResponse {
  status: number;
  body: unknown;
}

/** The exclusive right to execute the request of one `Idempotency-Key`. */
export interface RequestAttempt {
  /** Stores the response, in the transaction of the change. Throws if another attempt has taken over. */
  complete(tx: Tx, answer: StoredResponse): Promise<void>;
  /** Releases the key. Nothing has happened, so a repetition may try again. */
  abandon(): Promise<void>;
}

interface Row {
  fingerprint: Uint8Array;
  attempt: string;
  answer: Uint8Array | null;
  /** Its process has died, or the attempt is older than any request can take. */
  abandoned: boolean;
}

/** How often to look: between two looks, another attempt may end in either way. */
const LOOKS = 3;

/**
 * Starts or repeats a request with an `Idempotency-Key` (docs/contract-notes.md, Keys). Fingerprint and response are
 * protected with keys derived from the API key's text. An attempt belongs to its process. When the process dies, the
 * next request takes the attempt over at once, and the dead one can no longer complete. If the dead one got as far as
 * its commit, its response is returned instead.
 *
 * @returns the attempt to complete, or the stored response of an earlier request
 * @throws ApiError `idempotency_in_progress` while another attempt runs, `idempotency_mismatch` if the key was used
 *   with another request
 */
export async function beginAttempt(
  key: AuthenticatedKey,
  request: FingerprintedRequest,
): Promise<RequestAttempt | StoredResponse> {
  const { keyId } = key.context;
  const fingerprint = await fingerprintOf(key, request);
  const attempt = randomUUID();
  const process = await thisProcess();
  for (let look = 0; look < LOOKS; look++) {
    const started = await sql()`
      insert into idempotency_keys (key_id, key, fingerprint, attempt, process, started_at, created_at)
      values (${keyId}, ${request.idempotencyKey}, ${fingerprint}, ${attempt}, ${process}, now(), now())
      on conflict (key_id, key) do update set fingerprint = excluded.fingerprint, attempt = excluded.attempt,
        process = excluded.process, started_at = excluded.started_at, created_at = excluded.created_at, answer = null
      where idempotency_keys.created_at < now() - interval '24 hours'
      returning attempt`;
    if (started.length > 0) return attemptOf(key, request, attempt);
    const row = await readRow(keyId, request.idempotencyKey);
    if (!row) continue;
    if (!timingSafeEqual(row.fingerprint, fingerprint)) {
      throw new ApiError(
        "idempotency_mismatch",
        "This Idempotency-Key was used with another request. Use a fresh key for a different request.",
      );
    }
    if (row.answer) {
      const aad = utf8(`${keyId}/${request.idempotencyKey}`);
      const plain = decrypt(await key.derive("idempotency answer"), aad, row.answer, "stored answer");
      return JSON.parse(Buffer.from(plain).toString("utf8")) as StoredResponse;
    }
    if (!row.abandoned) throw inProgress();
    // If the dead attempt's commit is still under way, this waits for it and then finds the response.
    const taken = await sql()`
      update idempotency_keys set attempt = ${attempt}, process = ${process}, started_at = now()
      where key_id = ${keyId} and key = ${request.idempotencyKey} and attempt = ${row.attempt} and answer is null
      returning attempt`;
    if (taken.length > 0) return attemptOf(key, request, attempt);
  }
  throw inProgress();
}

async function readRow(keyId: string, key: string): Promise<Row | undefined> {
  // A live process holds its advisory lock. The 60 s cover attempts of versions without such locks, and attempts
  // that could not be released.
  const [row] = await sql()<Row[]>`
    select fingerprint, attempt, answer, started_at < now() - interval '60 seconds' or case
      when answer is null and process is not null then pg_try_advisory_xact_lock_shared(${PROCESS_LOCKS}::int, process)
      else false end as abandoned
    from idempotency_keys where key_id = ${keyId} and key = ${key}`;
  return row;
}

function attemptOf(key: AuthenticatedKey, { idempotencyKey }: FingerprintedRequest, attempt: string): RequestAttempt {
  const { keyId } = key.context;
  return {
    async complete(tx, answer) {
      const aad = utf8(`${keyId}/${idempotencyKey}`);
      const encrypted = Buffer.from(encrypt(await key.derive("idempotency answer"), aad, utf8(JSON.stringify(answer))));
      const completed = await tx.execute(statement`
        update idempotency_keys set answer = ${encrypted}
        where key_id = ${keyId} and key = ${idempotencyKey} and attempt = ${attempt} and answer is null
        returning attempt`);
      if (completed.length === 0) throw inProgress();
    },
    async abandon() {
      await sql()`
        delete from idempotency_keys
        where key_id = ${keyId} and key = ${idempotencyKey} and attempt = ${attempt} and answer is null`;
    },
  };
}

function inProgress(): ApiError {
  return new ApiError("idempotency_in_progress", "The first request with this Idempotency-Key is still under way.", {
    retryAfter: 1,
  });
}
