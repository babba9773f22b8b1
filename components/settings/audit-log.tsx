"use client";

import { Download } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import { saveFile } from "@/components/ui/save-file";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { AuditChain } from "@/lib/events/audit/check-entries";
import type { AuditListResponse } from "./audit-list-response";
import { AuditTable } from "./audit-table";
import { ChainPanel } from "./chain-panel";
import { beginAgain, type ChainReport, checkWhole, useShownCheck, useWholeLog, type WholeLog } from "./use-chain-check";

/** The entries of a page, with the result of this browser's check of their hash chain. */
export function AuditLog({
  path,
  chain,
  session,
  query,
  linkQuery,
  initial,
  filtered,
  children,
}: {
  path: string;
  chain: AuditChain;
  /** Id of this page's session. */
  session: string;
  /** The query of the resource. */
  query: Record<string, string>;
  /** The query parameters for the page's links. */
  linkQuery: Record<string, string>;
  initial: AuditListResponse;
  filtered: boolean;
  /** Tabs and filters. */
  children: ReactNode;
}) {
  const network = useNetwork();
  const toast = useToast();
  const wholeLog = useWholeLog();
  const { data = initial } = useResource("/v1/audit-log", { query, initial });
  const shown = useShownCheck(chain, data.entries, filtered ? "filtered" : "part", data.kept_from);
  const [whole, setWhole] = useState<ChainReport>();
  const checkedLog = useRef<WholeLog>(undefined);
  const checking = useAsyncAction({ failed: "The log was not checked" });
  const exporting = useAsyncAction({ failed: "Nothing was exported" });

  const check = async (log: WholeLog) => {
    checkedLog.current = log;
    setWhole(await checkWhole(chain, log));
  };
  const checkAll = () => checking.run(async () => check(await wholeLog()));
  const compareFromHere = () =>
    checking.run(async () => {
      const log = checkedLog.current;
      if (!log) return;
      beginAgain(chain);
      await check(log);
    });
  const exportAll = () =>
    exporting.run(async () => {
      // Includes sign-ins: only a file without gaps can be checked as a whole.
      const { limit, offset, sign_ins, ...filters } = query;
      const { entries } = await wholeLog(filters);
      const file = { account_id: chain.accountId, chain_id: chain.chainId, filters, entries };
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`halcyon-${network}-audit-log-${day}.json`, "application/json", `${JSON.stringify(file, null, 2)}\n`);
      toast.success("Audit log saved", `${entries.length} entries, with their hashes.`);
    });
  // A problem on this page outweighs an older check of the whole log.
  const report = shown && shown.broken.length > 0 && !whole?.broken.length ? shown : (whole ?? shown);
  const broken = [...(whole?.broken ?? []), ...(shown?.broken ?? [])];
  return (
    <>
      <ChainPanel report={report} busy={checking.busy} onCheckAll={checkAll} onBeginAgain={compareFromHere} />
      <Card
        flush
        title="Entries"
        description="Newest first. The log never contains the amount of a payment."
        action={
          <Button
            size="small"
            icon={<Download size={14} aria-hidden="true" />}
            busy={exporting.busy}
            onClick={exportAll}
          >
            Export JSON
          </Button>
        }
      >
        {children}
        {data.entries.length > 0 && (
          <>
            <AuditTable entries={data.entries} broken={broken} session={session} />
            <Pagination
              path={path}
              query={linkQuery}
              limit={data.limit}
              offset={data.offset}
              hasMore={data.has_more}
              count={data.entries.length}
            />
          </>
        )}
      </Card>
    </>
  );
}
