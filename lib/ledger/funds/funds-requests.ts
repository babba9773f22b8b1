import type { FundsStatement } from "./funds-statement";
import type { ShownFunds } from "./shown-funds";

/*
 * Asked often enough, a proof of funds is a binary search for the balance. So clients remember what each verifier has
 * seen, and a step further within a month needs the owner's word.
 */

/** For so long a verifier's last request makes a higher one suspicious, in milliseconds. */
const REMEMBERED = 30 * 86_400_000;

/**
 * Verifiers and assets one record has room for: with the longest names it stays within its length. What is older than
 * 30 days makes room.
 */
export const MOST_REQUESTS = 36;

export type FundsRequest = Pick<FundsStatement, "verifier" | "asset" | "minimum">;

/** A verifier under one name, however it is spelled: case, width and spaces make no other one. */
function nameOf(verifier: string): string {
  return verifier.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const isOf =
  ({ verifier, asset }: FundsRequest) =>
  (entry: ShownFunds) =>
    nameOf(entry.verifier) === nameOf(verifier) && entry.asset === asset;

const isRecent = ({ askedAt }: ShownFunds, now: Date) => now.getTime() - askedAt.getTime() < REMEMBERED;

/**
 * Whether the owner has to be asked again: the verifier asked in the last 30 days, and this minimum is higher than what
 * it was shown. If it was shown nothing, every minimum is.
 */
export function isStepFurther(record: readonly ShownFunds[], request: FundsRequest, now: Date): boolean {
  const known = record.find(isOf(request));
  return known !== undefined && request.minimum > known.highest && isRecent(known, now);
}

/**
 * The record after a request; null when it has no room for another verifier.
 *
 * @param proven whether the verifier gets a proof
 */
export function afterRequest(
  record: readonly ShownFunds[],
  request: FundsRequest,
  proven: boolean,
  now: Date,
): ShownFunds[] | null {
  const { verifier, asset, minimum } = request;
  const known = record.find(isOf(request));
  const highest = known?.highest ?? 0n;
  const entry = { verifier, asset, highest: proven && minimum > highest ? minimum : highest, askedAt: now };
  const others = record.filter((other) => other !== known);
  if (others.length < MOST_REQUESTS) return [...others, entry];
  const recent = others.filter((other) => isRecent(other, now));
  return recent.length < MOST_REQUESTS ? [...recent, entry] : null;
}
