import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { TransferDetail } from "@/components/payments/transfers/transfer-detail";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { explorerUrl } from "@/lib/accounts/networks/explorer-url";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { getOwnTransfer } from "@/lib/payments/get-own-transfer";
import { toTransferWithHistory } from "@/lib/payments/transfer-resource";

export const metadata: Metadata = { title: "Transfer" };

async function find(ctx: SessionContext, id: string) {
  try {
    return toTransferWithHistory(await getOwnTransfer(ctx, id));
  } catch (error) {
    // Other owners' transfers and unknown ids look the same.
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One transfer of the account or its agents. */
export default async function TransferPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  const [transfer, keys] = await Promise.all([find(ctx, id), listKeys(ctx)]);
  const key = keys.find((each) => each.id === transfer.encrypted.key_id);
  const { local } = env().chains[ctx.network];
  return (
    <TransferDetail
      key={id}
      path={`/${network}/transfers`}
      initial={transfer}
      explorer={explorerUrl({ network: ctx.network, local }, transfer.tx_hash)}
      paidWith={
        key ? { keyId: key.id, name: `${key.label} …${key.lastFour}`, href: `/${network}/developers/keys` } : null
      }
    />
  );
}
