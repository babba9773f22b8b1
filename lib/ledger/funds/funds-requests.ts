import type { FundsStatement } from "./funds-statement";
import type { ShownFunds } from "./shown-funds";

/*
 * Asked often enough, proofs of funds are a binary search for the balance. So clients record what each verifier has
 * seen, and showing it a higher minimum within a month needs the owner's consent.
 */

/** How long after a verifier's last request a higher one is suspicious, in milliseconds. */
const REMEMBERED = 30 * 86_400_000;

/**
 * The most pairs of verifier and asset in one record. Even with the longest names they fit its length. Entries older
 * than 30 days are removed to make room.
 */
export const MOST_REQUESTS = 36;

type FundsRequest = Pick<FundsStatement, "verifier" | "asset" | "minimum">;

/** Normalizes a verifier's name: case, width and spaces don't distinguish names. */
function nameOf(verifier: string): string {
  return verifier.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const isOf =
  ({ verifier, asset }: FundsRequest) =>
  (entry: ShownFunds) =>
    nameOf(entry.verifier) === nameOf(verifier) && entry.asset === asset;

const isRecent = ({ askedAt }: ShownFunds, now: Date) => now.getTime() - askedAt.getTime() < REMEMBERED;

/**
 * Reports whether the owner must confirm again: the verifier asked within the last 30 days, and this minimum is higher
 * than what it was shown. If it was shown nothing, every minimum is higher.
 */
export function isStepFurther(record: readonly ShownFunds[], request: FundsRequest, now: Date): boolean {
  const known = record.find(isOf(request));
  return known !== undefined && request.minimum > known.highest && isRecent(known, now);
}

/**
 * Returns the record after a request; null if it has no room for another verifier.
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
