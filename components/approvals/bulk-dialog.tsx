"use client";

import { useEffect, useRef, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { holdSignIn } from "@/components/api/sign-in-again";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useVault } from "@/components/vault/vault-provider";
import { agentsShortOfFunds } from "./agents-short-of-funds";
import { BulkGroup } from "./bulk-group";
import { BulkRow, type RowCheck } from "./bulk-row";
import { groupsOf } from "./groups-of";
import { type ApprovalAgent, isOwnersPayment, type WaitingPayment } from "./held-payment";
import { amountsOf, type Total, totalsByAsset } from "./totals";
import { type ApprovalVerb, useBulk } from "./use-bulk";
import type { DecisionState } from "./use-decision";

interface Payment {
  entry: WaitingPayment;
  check: RowCheck | undefined;
}

const WORDS = {
  approve: { does: "Approve", doing: "Approving…", done: "approved", tone: "primary" },
  reject: { does: "Reject", doing: "Rejecting…", done: "rejected", tone: "danger" },
} as const;

const payments = (count: number) => (count === 1 ? "1 payment" : `${count} payments`);

/** One total per asset, from the amounts decrypted in this browser. */
function Totals({
  name,
  totals,
  encrypted,
  assets,
}: {
  name: string;
  totals: readonly Total[];
  encrypted: boolean;
  assets: readonly string[];
}) {
  return (
    <dl className="rounded-lg bg-sunken px-4 py-3">
      {assets.map((asset) => (
        <div key={asset} className="flex items-baseline justify-between gap-4">
          <dt className="text-muted text-sm">
            {name} in {asset}
          </dt>
          <dd className="font-semibold text-xl tracking-tight">
            <Amount
              value={totals.find((each) => each.asset === asset)?.amount ?? "0"}
              asset={asset}
              encrypted={encrypted}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Decides several payments after one confirmation. Shows the rows, one total per asset, and the outcome of each.
 *
 * @param chosen the payments as they were when the dialog opened
 * @param waiting ids of the payments still in the queue
 */
export function BulkDialog({
  open,
  verb,
  chosen,
  waiting,
  agents,
  sessionId,
  decision,
  onClose,
}: {
  open: boolean;
  verb: ApprovalVerb;
  chosen: readonly WaitingPayment[];
  waiting: readonly string[];
  agents: readonly ApprovalAgent[];
  sessionId: string;
  decision: DecisionState;
  onClose: () => void;
}) {
  const encrypted = useVault().status !== "unlocked";
  const bulk = useBulk(verb, decision);
  const [checks, setChecks] = useState<ReadonlyMap<string, RowCheck>>(new Map());
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open) return holdSignIn();
  }, [open]);
  const groups = groupsOf(chosen);
  // In the order shown, so that "the last ones" are the last ones.
  const ordered = groups.flatMap(({ payments }) => payments);
  const rows: Payment[] = ordered.map((entry) => ({ entry, check: checks.get(entry.transaction_id) }));
  // Payments that are left out don't count towards the total.
  const counted = rows.filter(
    ({ entry, check }) => check?.able !== false || bulk.stateOf(entry.transaction_id).at !== "ready",
  );
  const able = rows.filter(({ entry, check }) => check?.able && bulk.stateOf(entry.transaction_id).at === "ready");
  const looking = !bulk.begun && rows.some(({ check }) => check?.able === undefined);
  const stateOf = ({ entry }: Payment) => bulk.stateOf(entry.transaction_id).at;
  const isLost = (id: string) => !bulk.busy && decision.isLost(id);
  const lost = rows.filter(({ entry }) => isLost(entry.transaction_id));
  const done = rows.filter((row) => stateOf(row) === "done" || decision.found(row.entry.transaction_id) === "made");
  const { does, doing, done: did, tone } = WORDS[verb];
  // After the run, the total of the payments that were decided.
  const over = bulk.begun && !bulk.busy;
  const moved = over ? done : counted;
  const totals = totalsByAsset(amountsOf(moved));
  const assets = [...new Set(chosen.map(({ asset }) => asset))];
  const short = verb === "approve" && !bulk.begun ? agentsShortOfFunds(counted) : [];
  const signed = able.filter(({ entry }) => isOwnersPayment(entry)).length;
  const close = () => {
    decision.each.letGo(lost.map(({ entry }) => entry.transaction_id));
    onClose();
  };
  const checkAgain = async () => {
    const open: WaitingPayment[] = [];
    for (const { entry } of lost) if (await decision.each.look(entry.transaction_id)) open.push(entry);
    // Sends the same documents again, so this can't become a second payment.
    if (open.length > 0) await bulk.run(open);
  };
  const asks = `${does} ${payments(counted.length)}?`;
  const title = bulk.busy ? doing : bulk.begun ? `${done.length} of ${payments(counted.length)} ${did}` : asks;
  return (
    <Dialog
      open={open}
      onClose={close}
      width="large"
      dismissible={!bulk.busy}
      initialFocus={back}
      title={title}
      description={
        bulk.begun
          ? undefined
          : verb === "approve"
            ? "They are paid at once, one after the other, and cannot be taken back. One that fails does not affect the others."
            : "No money moves. The agents are notified and can ask again."
      }
      footer={
        bulk.busy ? (
          <Button ref={back} onClick={bulk.stop} disabled={bulk.stopped}>
            {bulk.stopped ? "Stopping…" : "Stop after this one"}
          </Button>
        ) : bulk.begun ? (
          <>
            {lost.length > 0 && <Button onClick={() => void checkAgain()}>Check again</Button>}
            {able.length > 0 && (
              <Button onClick={() => void bulk.run(able.map(({ entry }) => entry))}>
                {does} the other {able.length}
              </Button>
            )}
            <Button ref={back} tone="primary" onClick={close}>
              {lost.length > 0 ? "Close" : "Done"}
            </Button>
          </>
        ) : (
          <>
            <Button ref={back} onClick={close}>
              Cancel
            </Button>
            <Button
              tone={tone}
              busy={looking && !encrypted}
              disabled={able.length === 0}
              onClick={() => void bulk.run(able.map(({ entry }) => entry))}
            >
              {does} {payments(able.length)}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4 text-sm">
        <Totals name={over ? `Total ${did}` : "Total"} totals={totals} encrypted={encrypted} assets={assets} />
        {short.map(({ agent, assets: lacking }) => (
          <Callout
            key={agent}
            tone="warning"
            title={`${agent} does not have enough ${lacking.join(" and ")} for all of these.`}
          >
            The last ones will be refused. Fund it first, or approve fewer.
          </Callout>
        ))}
        {signed > 0 && verb === "approve" && !bulk.begun && (
          <p className="text-muted">
            Your wallet signs {signed === 1 ? "one of them" : `${signed} of them`}: your own keys asked for{" "}
            {signed === 1 ? "it" : "them"}.
          </p>
        )}
        {bulk.ended !== undefined && (
          <Callout tone="danger" title={`The others were not ${did}.`}>
            {messageOf(bulk.ended)}
          </Callout>
        )}
        <section aria-label="Payments to decide" className="divide-y divide-line border-line border-y">
          {groups.map(({ agent, to, payments: own }) => {
            const counts = moved.filter(({ entry }) => own.includes(entry));
            return (
              <BulkGroup
                key={`${agent} ${to}`}
                agent={agent}
                to={to}
                counted={own.length > 1 && groups.length > 1 ? payments(counts.length) : undefined}
                totals={totalsByAsset(amountsOf(counts))}
                encrypted={encrypted}
              >
                {own.map((entry) => (
                  <BulkRow
                    key={entry.transaction_id}
                    entry={entry}
                    verb={verb}
                    agents={agents}
                    waits={waiting.includes(entry.transaction_id)}
                    state={bulk.stateOf(entry.transaction_id)}
                    lost={isLost(entry.transaction_id)}
                    found={decision.found(entry.transaction_id)}
                    sessionId={sessionId}
                    onCheck={(check) => setChecks((before) => new Map([...before, [entry.transaction_id, check]]))}
                  />
                ))}
              </BulkGroup>
            );
          })}
        </section>
        <p role="status" className="sr-only">
          {bulk.begun && `${done.length} of ${counted.length} ${did}`}
        </p>
      </div>
    </Dialog>
  );
}
