import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { afterRequest, isStepFurther, MOST_REQUESTS } from "@/lib/ledger/funds/funds-requests";
import { CHALLENGE_LENGTH, type FundsStatement } from "@/lib/ledger/funds/funds-statement";
import { countedFunds, makeProofOfFunds } from "@/lib/ledger/funds/make-proof-of-funds";
import { encodeProofOfFunds } from "@/lib/ledger/funds/proof-of-funds";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { settledFunds } from "../../account/funds/proof";
import { ownParty } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { checkProofOfFunds } from "./check-proof-of-funds";
import { type FundsRequestInUnits, type ProofOfFundsInput, requestOf } from "./request-of";
import { readShownRecord, type ShownRecord, writeShownRecord } from "./shown-record";

/** A proof of funds, and the link to the page that checks it. The part after `#` is never sent to a server. */
export interface MadeProofOfFunds {
  /** `hcf1_…` */
  proof_of_funds: string;
  url: string;
}

/** The input of a proof of funds. */
export interface CreateProofOfFundsInput extends ProofOfFundsInput {
  /** Creates it even if this verifier saw a lower minimum in the last 30 days. Ask the account's owner first. */
  again?: boolean | undefined;
}

/** How many times to re-read the record when other devices write it concurrently. */
const TRIES = 5;

/**
 * Creates the error for a proof that was not created. It gives no reason: neither the error nor its timing may show a
 * verifier who sees it whether the account holds too little.
 */
function noProof(): HalcyonError {
  return new HalcyonError(
    "unavailable",
    "No proof of funds was made. The reason is not given: it could reveal the balance. Look at it, or try later.",
  );
}

/** Creates the error for a higher minimum than before, to which the owner has not agreed. */
function askAnew({ isLost }: ShownRecord): HalcyonError {
  const why = isLost
    ? "The record of your proofs of funds is out of date or can't be decrypted: this verifier may have seen others."
    : "This verifier saw less in the last 30 days. Each proof narrows down your balance.";
  return new HalcyonError("invalid_request", `${why} Confirm it (again) to show this one too.`, {
    param: "again",
  });
}

/** Reports whether a request needs the owner's consent. */
export function needsConsent(record: ShownRecord, request: FundsRequestInUnits, now: Date): boolean {
  return record.isLost || isStepFurther(record.entries, { ...request, asset: request.token }, now);
}

function requireRoom({ entries }: ShownRecord, { verifier, token, minimum }: FundsRequestInUnits): void {
  if (afterRequest(entries, { verifier, asset: token, minimum }, false, new Date())) return;
  throw new HalcyonError(
    "invalid_request",
    `Your proofs of funds go to at most ${MOST_REQUESTS} verifiers in 30 days.`,
  );
}

/** Returns what the account holds according to the chain at its newest block. */
async function holdingsNow(context: Context, { asset, token, minimum }: FundsRequestInUnits) {
  const [party, chain] = await Promise.all([ownParty(context), context.chain()]);
  const { notes, available } = await settledFunds(context, party, asset);
  const [block, deposited] = await Promise.all([
    chain.client.getBlockNumber(),
    chain.depositedOf(party.address, token),
  ]);
  return {
    account: party.address,
    opened: { notes, available },
    block,
    deposited: deposited < minimum ? deposited : minimum,
  };
}

/** Records the request, then creates the proof. Returns null when another device wrote the record in the meantime. */
async function proveOnce(context: Context, request: FundsRequestInUnits, record: ShownRecord): Promise<string | null> {
  const { token, minimum, verifier, purpose, expires, challenge } = request;
  const [info, chain, prove, verify] = await Promise.all([
    context.info(),
    context.chain(),
    context.prover(),
    context.verifier(),
  ]);
  const { account, opened, block, deposited } = await holdingsNow(context, request);
  const isTrue = countedFunds(opened).total + deposited >= minimum;
  // Record the request first: no proof may exist that is not recorded.
  const entries = afterRequest(record.entries, { verifier, asset: token, minimum }, isTrue, new Date());
  if (!entries || !(await writeShownRecord(context, record, entries))) return null;
  const statement: FundsStatement = {
    chainId: info.chainId,
    ledger: lowerCase(info.ledger),
    account,
    asset: token,
    minimum,
    deposited,
    block,
    expires,
    verifier,
    purpose,
    challenge: challenge ?? toHex(randomBytes(CHALLENGE_LENGTH)),
  };
  // If the statement is false, prove one that is true (zero or more) and discard it, so that the time taken is the
  // same.
  const funds = await makeProofOfFunds(isTrue ? statement : { ...statement, deposited: minimum }, opened, prove);
  if (!isTrue) throw noProof();
  await checkProofOfFunds(funds, info, chain, verify);
  return encodeProofOfFunds(funds);
}

/** Creates a proof of funds. Implements `proofsOfFunds.create`. */
export async function createProofOfFunds(context: Context, input: CreateProofOfFundsInput): Promise<MadeProofOfFunds> {
  const request = await requestOf(context, input, new Date());
  for (let tries = 0; tries < TRIES; tries++) {
    const record = await readShownRecord(context);
    if (!input.again && needsConsent(record, request, new Date())) throw askAnew(record);
    requireRoom(record, request);
    const text = await proveOnce(context, request, record).catch((error: unknown) => {
      // From here on, every failure must look the same.
      throw toHalcyonError(error).code === "aborted" ? error : noProof();
    });
    if (text !== null) return { proof_of_funds: text, url: `${context.http.baseUrl}/proof-of-funds#${text}` };
  }
  throw noProof();
}
