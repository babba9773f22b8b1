import type { Address } from "viem";
import { encryptSharedView } from "@/lib/ledger/shared-view/encrypt-shared-view";
import { MOST_SHARED, type SharedPayment } from "@/lib/ledger/shared-view/shared-view-document";
import { timeText } from "../../api/check-input";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { findRecipient } from "../../payments/recipient";
import type { ReadingProgress } from "../chain-history";
import { type ReadMovement, readMovements } from "../read-movements";
import type { CreatedSharedView, CreateSharedViewInput, ListedSharedView } from "./shared-view-input";

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Converts a movement to a payment that the chain proves; null for one that can't be proved to others. Moves between
 * accounts and their agents create no note, and a balance that was given up was paid to no one.
 */
function sharedPaymentOf(movement: ReadMovement, memos: boolean): SharedPayment | null {
  const { type, entry, amount, holder, counterpartyAddress, counterparty, reference, memo } = movement;
  if (amount === null || amount === 0n) return null;
  const self = holder as Address;
  const other = (counterpartyAddress ?? holder) as Address;
  const said = { name: counterparty ?? "", reference: reference ?? "", memo: (memos && memo) || "" };
  const common = { txHash: entry.transactionHash, asset: entry.asset, amount, ...said };
  switch (type) {
    case "received":
    case "sent": {
      if (entry.noteSalt === undefined) return null;
      const [payer, recipient] = type === "sent" ? [self, other] : [other, self];
      return { ...common, kind: "note", payer, recipient, salt: entry.noteSalt };
    }
    case "paid_out":
      return { ...common, kind: "public", payer: self, recipient: other, salt: 0n };
    case "deposit":
      return { ...common, kind: "deposit", payer: self, recipient: self, salt: 0n };
    default:
      return null;
  }
}

/** Movement types that views don't show. */
const WITHIN: ReadonlySet<string> = new Set(["moved_in", "moved_out", "abandoned"]);

async function addressOf(context: Context, counterparty: string | undefined): Promise<Address | null> {
  if (counterparty === undefined) return null;
  return (await findRecipient(context, counterparty)).address.toLowerCase() as Address;
}

/**
 * Shares a view of the payments of a period: reads and decrypts them on this machine, encrypts the view under a new
 * key, and stores the ciphertext with the service. Only the link contains the key.
 *
 * @throws HalcyonError `invalid_request` when there is nothing to show or too much; like `statements.create`
 */
export async function createSharedView(
  context: Context,
  { label, expires, counterparty, memos = false, ...input }: CreateSharedViewInput,
  reading: ReadingProgress = {},
  now = new Date(),
): Promise<CreatedSharedView> {
  const session = await context.session();
  const [info, only] = await Promise.all([context.info(), addressOf(context, counterparty)]);
  const { period, holders, movements } = await readMovements(context, input, reading);
  const wanted = movements.filter(
    ({ type, counterpartyAddress }) => !WITHIN.has(type) && (only === null || counterpartyAddress === only),
  );
  const payments = wanted.flatMap((movement) => sharedPaymentOf(movement, memos) ?? []);
  if (payments.length === 0) {
    throw new HalcyonError("invalid_request", "There are no payments to show in this period.", { param: "from" });
  }
  const shown = uniqueNotes(payments);
  if (shown.length > MOST_SHARED) {
    const message = `A view shows ${MOST_SHARED} payments at most; these are ${shown.length}. Choose a shorter period.`;
    throw new HalcyonError("invalid_request", message, { param: "from" });
  }
  const asked =
    expires === undefined ? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS) : new Date(timeText(expires) ?? "");
  const expiresAt = Math.floor(asked.getTime() / 1000);
  const { encrypted, key } = await encryptSharedView({
    chainId: info.chainId,
    ledger: info.ledger.toLowerCase() as Address,
    accounts: holders.map(({ address, name }) => ({ address, name })),
    from: Math.floor(period.from.getTime() / 1000),
    to: Math.ceil(period.to.getTime() / 1000),
    timeZone: period.timeZone,
    counterparty: only,
    title: label,
    createdAt: Math.floor(now.getTime() / 1000),
    expiresAt,
    payments: shown,
  });
  const kept = await session.post<ListedSharedView>("/api/shared-views", {
    label,
    expires_at: new Date(expiresAt * 1000).toISOString(),
    encrypted: base64(encrypted),
  });
  const url = `${context.http.baseUrl}/view/${kept.shared_view_id}#${key}`;
  return { ...kept, url, payments: shown.length, left_out: wanted.length - payments.length };
}

/**
 * Keeps each note once, even if both its payer and its recipient are accounts of the view. Keeps all public payments.
 */
function uniqueNotes(payments: readonly SharedPayment[]): SharedPayment[] {
  const seen = new Set<bigint>();
  return payments.filter(({ kind, salt }) => {
    if (kind !== "note") return true;
    if (seen.has(salt)) return false;
    seen.add(salt);
    return true;
  });
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
