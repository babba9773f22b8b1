"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Link } from "@/components/ui/link";
import { Progress } from "@/components/ui/progress";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { EmergencyCard } from "./emergency-card";
import { forEachItem } from "./for-each-item";

/** What can be ended: an API key, or an application's connection. */
export interface Endable {
  /** Path below the API. */
  path: string;
  kind: "key" | "application";
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Returns how many keys and connections there are, in words. */
export function countedInWords(list: readonly Endable[]): string {
  const applications = list.filter(({ kind }) => kind === "application").length;
  const keys = list.length - applications;
  const parts = [
    ...(keys > 0 ? [counted(keys, "key", "keys")] : []),
    ...(applications > 0 ? [counted(applications, "application", "applications")] : []),
  ];
  return parts.join(" and ") || "no key";
}

/** Ends every API key and connection of the account and its agents on the network. What is left after a failure stays to be ended. */
export function EndKeys({ active: listed }: { active: readonly Endable[] }) {
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  // The page is rendered again later, or not at all while the service is silent.
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  const active = listed.filter(({ path }) => !ended.has(path));
  const { busy, error, isUnknown, run } = useAsyncAction();
  const end = () =>
    run(async () => {
      const total = active.length;
      setProgress({ done: 0, total });
      const undone = await forEachItem(
        active,
        ({ path }) => api(network).delete(path),
        (done) => setProgress({ done, total }),
      );
      setProgress(undefined);
      const left = new Set(undone.map(({ item }) => item));
      const gone = active.filter((one) => !left.has(one)).map(({ path }) => path);
      setEnded((before) => new Set([...before, ...gone]));
      void queries.invalidateQueries({ predicate: resourceKeys.below(network, "/api/keys", "/api/connections") });
      refresh();
      const [first] = undone;
      if (first) throw first.error;
    });
  return (
    <EmergencyCard
      id="end-keys"
      title="End all API keys"
      description="For a leaked key. Every key of your account and its agents, and every connected application, is refused from its next request on."
      takes="Seconds"
      needs="No signature"
      afterwards="Create new keys. Ended ones can't be brought back; payments already made stay as they are."
      action={
        active.length > 0 ? (
          <Button data-early tone="danger" busy={busy} onClick={() => setAsking(true)}>
            End {countedInWords(active)}
          </Button>
        ) : (
          <span className="text-muted text-sm">There is no active key.</span>
        )
      }
    >
      {progress && <Progress label="Ending keys" {...progress} />}
      {error && (
        <ErrorCallout isUnknown={isUnknown} failed={`Not all are ended: ${countedInWords(active)} left.`}>
          {error} Press the button again to end what is left.
        </ErrorCallout>
      )}
      {!busy && !error && ended.size > 0 && active.length === 0 && (
        <div role="status">
          <Callout tone="success" title="All keys are ended.">
            <Link href={`/${network}/developers/keys?do=create`} className="underline">
              Create a new key
            </Link>{" "}
            once you know how the old one leaked.
          </Callout>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`End ${countedInWords(active)}?`}
        keep="Keep keys"
        confirm="End all"
        onConfirm={async () => void end()}
      >
        <p>Programs and agents that use them stop paying and reading at once, on this network. This can't be undone.</p>
      </ConfirmDialog>
    </EmergencyCard>
  );
}
