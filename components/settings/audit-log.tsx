"use client";

import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Pagination } from "@/components/ui/pagination";
import { saveFile } from "@/components/ui/save-file";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { AuditChain } from "@/lib/audit/check-entries";
import type { AuditListResponse } from "./audit-list-response";
import { AuditTable } from "./audit-table";
import { ChainPanel } from "./chain-panel";
import { type ChainReport, checkWhole, useShownCheck, useWholeLog } from "./use-chain-check";

/** The entries of a page, with what this browser found out about their chain. */
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
  /** Id of the session of this page. */
  session: string;
  /** Of the resource. */
  query: Record<string, string>;
  /** Of the page's links. */
  linkQuery: Record<string, string>;
  initial: AuditListResponse;
  filtered: boolean;
  /** Tabs and filters. */
  children: ReactNode;
}) {
  const network = useNetwork();
  const toast = useToast();
  const wholeLog = useWholeLog();
  const { data = initial } = useResource("/api/audit-log", { query, initial });
  const shown = useShownCheck(chain, data.entries, filtered ? "filtered" : "part", data.kept_from);
  const [whole, setWhole] = useState<ChainReport>();
  const checking = useAsyncAction({ failed: "The log was not checked" });
  const exporting = useAsyncAction({ failed: "Nothing was exported" });

  const checkAll = () => checking.run(async () => setWhole(await checkWhole(chain, await wholeLog())));
  const exportAll = () =>
    exporting.run(async () => {
      // Sign-ins too: a whole file can be checked, one with gaps can not.
      const { limit, offset, sign_ins, ...filters } = query;
      const { entries } = await wholeLog(filters);
      const file = { account_id: chain.accountId, chain_id: chain.chainId, filters, entries };
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`halcyon-${network}-audit-log-${day}.json`, "application/json", `${JSON.stringify(file, null, 2)}\n`);
      toast.success("Audit log saved", `${entries.length} entries, with their hashes.`);
    });
  // What is wrong on this page outweighs an older check of everything.
  const report = shown && shown.broken.length > 0 && !whole?.broken.length ? shown : (whole ?? shown);
  const broken = [...(whole?.broken ?? []), ...(shown?.broken ?? [])];
  return (
    <>
      <ChainPanel report={report} busy={checking.busy} onCheckAll={checkAll} />
      <Card
        flush
        title="Entries"
        description="Newest first. No amounts: those are in nobody's log."
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
