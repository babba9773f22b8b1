import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";

/**
 * Returns a payment of 25.123456 from an available balance of 100, with throw-away keys, as something real to prove.
 */
export function transferPlan() {
  const scope = {
    chainId: 46630,
    ledger: "0x00000000000000000000000000000000000000aa",
    domainSalt: `0x${"11".repeat(32)}`,
  } as const;
  const viewingKey = deriveViewingKey(newAccountKey(), scope).publicKey;
  return planTransfer({
    scope,
    account: "0x00000000000000000000000000000000000000a1",
    to: "0x00000000000000000000000000000000000000b1",
    asset: "0x0000000000000000000000000000000000000000",
    available: { limit: 100_000_000n, salt: 5n, window: NO_WINDOW },
    policyVersion: 0n,
    amount: 25_123_456n,
    deadline: 2_000_000_000n,
    payerViewingKey: viewingKey,
    recipientViewingKey: viewingKey,
    secret: newAccountKey(),
  });
}
