import { leaseTokens } from "@/lib/base/rate-limit/lease-tokens";
import { emailBucket } from "./email-secrets";

const DAY = 86_400;

/** The most messages a day: to an account's address or each of its devices, to one inbox, and confirmation links. */
const CAPS = {
  account: { quota: 60, seconds: DAY },
  inbox: { quota: 60, seconds: DAY },
  confirmationsOfAccount: { quota: 10, seconds: DAY },
  confirmationsOfInbox: { quota: 5, seconds: DAY },
} as const;

/** Takes one message from the bucket. Returns 0 if there was room, else how many milliseconds until there is. */
async function waitFor(bucket: string, cap: { quota: number; seconds: number }): Promise<number> {
  const [lease] = await leaseTokens([{ bucket, policy: cap, want: 1 }]);
  if (!lease) throw new Error("a bucket did not respond");
  const { granted, fullInSeconds } = lease;
  if (granted > 0) return 0;
  const each = cap.seconds / cap.quota;
  return Math.max(1_000, Math.ceil((fullInSeconds - cap.seconds + each) * 1_000));
}

/** A message's destination, as far as limits depend on it. */
interface Counted {
  /** The owner on a network, or `operator`. */
  account: string;
  /** The device of a push message; left out for email. */
  device?: string;
  address?: string;
}

/**
 * Counts a message against the limit of its account (of its device for a push message) and, for email, of the receiving
 * inbox. Returns 0, or how many milliseconds to wait.
 */
export async function roomForMessage({ account, device, address }: Counted): Promise<number> {
  const wait = await waitFor(`notify:${device ?? account}`, CAPS.account);
  return wait > 0 || address === undefined ? wait : waitFor(emailBucket("inbox", address), CAPS.inbox);
}

/**
 * Counts a confirmation against the limits of its account and of the receiving inbox, so that no one can flood an
 * inbox. Returns 0, or how many milliseconds to wait.
 */
export async function roomForConfirmation(rootId: string, address: string): Promise<number> {
  const wait = await waitFor(`notify-confirm:${rootId}`, CAPS.confirmationsOfAccount);
  return wait > 0 ? wait : waitFor(emailBucket("confirm", address), CAPS.confirmationsOfInbox);
}
