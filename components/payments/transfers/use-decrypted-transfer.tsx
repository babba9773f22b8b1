"use client";

import { Amount } from "@/components/ui/amount";
import { classNames } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { type ListedTransfer, signOf } from "./wording";

/**
 * Returns the parts of a transfer that don't change while it settles. They identify the decrypted result, so that it is
 * decrypted once.
 */
function encryptedParts(transfer: ListedTransfer) {
  const { kind, direction, asset, account, recipient, note, old_commitment, new_commitment, tx_hash } = transfer;
  const { recipient_ciphertext, payer_ciphertext, memo, recipient_memo } = transfer;
  const words = { kind, direction, asset, account, recipient, note, old_commitment, new_commitment };
  // Only public payments received by the account are looked up by their transaction, which may be replaced until it is
  // final.
  const txHash = kind === "release" && direction === "received" ? tx_hash : (`0x${"0".repeat(64)}` as const);
  return { ...words, recipient_ciphertext, payer_ciphertext, memo, recipient_memo, tx_hash: txHash };
}

/** Decrypts a transfer's amount and memo. `content` is undefined while locked or decrypting. */
function useDecryptedTransfer(transfer: ListedTransfer) {
  const encrypted = !useVault().reads;
  const { data, isError } = useDecrypted("openTransfer", encryptedParts(transfer));
  return { encrypted, content: isError ? { amount: null, memo: null } : data };
}

/** Returns whether this side has a memo to decrypt. */
function hasMemo({ memo, recipient_memo, kind, direction }: ListedTransfer): boolean {
  return (kind === "release" && direction === "received" ? recipient_memo : memo) !== null;
}

/** A transfer's amount, decrypted in this browser. A failed transfer moved nothing, so its amount is struck through. */
export function TransferAmount({
  transfer,
  aligned,
  className,
}: {
  transfer: ListedTransfer;
  /** Whether it stands in a column whose head names the asset. */
  aligned?: boolean;
  className?: string;
}) {
  const { encrypted, content } = useDecryptedTransfer(transfer);
  const failed = transfer.status === "failed";
  const sign = failed ? undefined : signOf(transfer);
  return (
    <Amount
      value={content?.amount}
      asset={transfer.asset}
      encrypted={encrypted}
      sign={sign}
      aligned={aligned}
      className={classNames(
        className,
        failed && !encrypted && "text-muted line-through",
        sign === "+" && !encrypted && "text-success",
      )}
    />
  );
}

/** A transfer's memo, decrypted in this browser. */
export function TransferMemo({ transfer, lines = 1 }: { transfer: ListedTransfer; lines?: 1 | "all" }) {
  const { encrypted, content } = useDecryptedTransfer(transfer);
  if (!hasMemo(transfer))
    return <span className="text-faint">{lines === 1 ? <span className="sr-only">none</span> : "None"}</span>;
  // The amount next to it already shows the lock.
  if (encrypted && lines === 1) return <span className="sr-only">encrypted</span>;
  if (encrypted) return <span className="text-faint">Encrypted</span>;
  if (!content) return <Skeleton className="h-4 w-28" />;
  if (content.memo === null) return <span className="text-muted">unreadable</span>;
  return (
    <span
      dir="auto"
      title={lines === 1 ? content.memo : undefined}
      className={lines === 1 ? "block truncate text-left" : "wrap-anywhere block whitespace-pre-wrap text-left"}
    >
      {content.memo}
    </span>
  );
}
