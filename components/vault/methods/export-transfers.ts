import type { TransferWithCopies } from "@/sdk/api/api-types";
import type { Context } from "@/sdk/context/context";
import { readTransfers } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";
import { opened } from "@/sdk/payments/transfers/transfers";
import { type ExportedTransfer, exportedTransfer } from "@/sdk/payments/transfers/transfers-csv";
import type { Tools } from "./method";

/** The most transfers to export, newest first. More would take minutes to decrypt. */
const EXPORT_LIMIT = 5_000;
const PAGE = 100;
const AT_ONCE = 10;

interface ExportInput {
  /** The filters, as the query of `GET /v1/transfers`. */
  query: Record<string, string | undefined>;
}

interface ExportOutput {
  rows: ExportedTransfer[];
  /** Whether there are older ones beyond the limit. */
  more: boolean;
}

/** Lists the filtered transfers, newest first. New transfers shift the pages, so each transfer is counted once. */
async function listAll(context: Context, query: ExportInput["query"], { progress, signal }: Tools) {
  const found = new Map<string, TransferWithCopies>();
  for (let offset = 0; ; offset += PAGE) {
    signal.throwIfAborted();
    const page = await readTransfers(context, {
      ...query,
      limit: PAGE,
      offset,
    });
    for (const entry of page.transfers) found.set(entry.transfer_id, entry);
    progress(0, Math.min(found.size, EXPORT_LIMIT));
    const enough = found.size >= EXPORT_LIMIT;
    if (enough || !page.has_more) {
      return { entries: [...found.values()].slice(0, EXPORT_LIMIT), more: page.has_more || found.size > EXPORT_LIMIT };
    }
  }
}

/** Decrypts the filtered transfers for a file. Progress counts transfers. Stops if aborted. */
export async function exportTransfers(context: Context, input: ExportInput, tools: Tools): Promise<ExportOutput> {
  const { entries, more } = await listAll(context, input.query, tools);
  const opener = await TransferDecrypter.of(context);
  const rows: ExportedTransfer[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    tools.signal.throwIfAborted();
    const some = entries
      .slice(start, start + AT_ONCE)
      .map(async (entry) => exportedTransfer(await opened(opener, entry)));
    rows.push(...(await Promise.all(some)));
    tools.progress(rows.length, entries.length);
    // Lets the worker receive messages such as a cancel, which decrypting alone would not.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { rows, more };
}
