import { leaseTokens } from "@/lib/rate-limit/lease-tokens";
import { addressBucket } from "./email-secrets";

const DAY = 86_400;

/** The most messages: a day: to an account's address or each of its devices, to one inbox, and links that confirm. */
export const CAPS = {
  account: { quota: 60, seconds: DAY },
  inbox: { quota: 60, seconds: DAY },
  confirmationsOfAccount: { quota: 10, seconds: DAY },
  confirmationsOfInbox: { quota: 5, seconds: DAY },
} as const;

/** How long to wait until there is room for one more, in milliseconds; 0 when it was counted. */
async function waitFor(bucket: string, cap: { quota: number; seconds: number }): Promise<number> {
  const [lease] = await leaseTokens([{ bucket, policy: cap, want: 1 }]);
  if (!lease) throw new Error("a bucket did not respond");
  const { granted, fullInSeconds } = lease;
  if (granted > 0) return 0;
  const each = cap.seconds / cap.quota;
  return Math.max(1_000, Math.ceil((fullInSeconds - cap.seconds + each) * 1_000));
}

/** Where a message goes, as it is counted. */
interface Counted {
  /** The owner on a network, or `operator`. */
  account: string;
  /** The device, or nothing for email. */
  device?: string;
  address?: string;
}

/** Counts a message by its account (a push by its device), and an email by the inbox it goes to as well. */
export async function roomForMessage({ account, device, address }: Counted): Promise<number> {
  const wait = await waitFor(`notify:${device ?? account}`, CAPS.account);
  return wait > 0 || address === undefined ? wait : waitFor(addressBucket("inbox", address), CAPS.inbox);
}

/** Counts a request for a confirmation, by its account and by the inbox it goes to: no inbox is filled from here. */
export async function roomForConfirmation(rootId: string, address: string): Promise<number> {
  const wait = await waitFor(`notify-confirm:${rootId}`, CAPS.confirmationsOfAccount);
  return wait > 0 ? wait : waitFor(addressBucket("confirm", address), CAPS.confirmationsOfInbox);
}
