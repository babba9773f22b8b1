"use client";

import { KeyRound, Plus } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useResource } from "@/components/api/use-resource";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { Time } from "@/components/ui/time";
import type { ListedKey } from "@/sdk/api/api-types";
import type { KeyAgent } from "./key-agent";
import { KeyTable } from "./key-table";

const CreateKeyDialog = onDemand(() => import("./create-key-dialog").then((module) => module.CreateKeyDialog));
const RevokeKeyDialog = onDemand(() => import("./revoke-key-dialog").then((module) => module.RevokeKeyDialog));
const UsageDialog = onDemand(() => import("./usage-dialog").then((module) => module.UsageDialog));

/** The list of API keys and their actions. */
export function Keys({
  initial,
  agents,
  only,
  strict,
  create,
}: {
  initial: { keys: ListedKey[]; blind_since?: string | null };
  agents: KeyAgent[];
  /** Show only this agent's keys, and create new ones for it. */
  only?: KeyAgent;
  /** Whether strict mode is on: new keys can't pay by themselves. */
  strict: boolean;
  /** Whether the page was opened to create a key. */
  create: boolean;
}) {
  const router = useRouter();
  const pathname = usePathname();
  // The address follows when the server responds, which takes until the browser is online.
  const [closing, close] = useTransition();
  const { data } = useResource("/api/keys", { initial, query: only && { agent: only.account_id } });
  const [revoking, setRevoking] = useState<ListedKey>();
  const [charted, setCharted] = useState<ListedKey>();
  const keys = data?.keys ?? [];
  const active = keys.filter(({ revoked_at }) => !revoked_at);
  const ended = keys.filter(({ revoked_at }) => revoked_at);
  return (
    <div className="grid gap-6">
      {strict && (
        <Callout title="This account requires client-signed payments.">
          New keys can read and send client-signed payments. A server-signed payment is refused.
        </Callout>
      )}
      <Card
        flush
        title={only ? "API keys" : "Active keys"}
        action={
          // A link works before the page's scripts have run.
          <Link
            href={`${pathname}?do=create`}
            replace
            scroll={false}
            className={buttonClass(only ? "secondary" : "primary", "small")}
          >
            <Plus size={15} aria-hidden="true" />
            Create key
          </Link>
        }
      >
        {active.length === 0 ? (
          <div className="border-line border-t">
            <EmptyState icon={<KeyRound size={18} />} title="No active keys">
              {only
                ? "It pays only from this agent, within its policy."
                : "Create one to pay from a server or a script."}{" "}
              You see it once; copy it to where your program reads its secrets.
            </EmptyState>
          </div>
        ) : (
          <KeyTable keys={active} ofOne={only !== undefined} onRevoke={setRevoking} onChart={setCharted} />
        )}
      </Card>
      {data?.blind_since && active.some(({ kind }) => kind === "blind") && (
        <p className="text-muted text-sm">
          Since <Time value={data.blind_since} />, no plain key and no connected application lets Halcyon decrypt a
          balance.
        </p>
      )}
      {ended.length > 0 && (
        <details>
          <summary className="w-fit rounded-md text-muted text-sm hover:text-ink">
            Revoked keys ({ended.length})
          </summary>
          <Card flush className="mt-3 pt-0">
            <KeyTable keys={ended} ofOne={only !== undefined} onChart={setCharted} />
          </Card>
        </details>
      )}
      {create && !closing && (
        <CreateKeyDialog
          open={create}
          agents={agents}
          only={only}
          strict={strict}
          onClose={() => close(() => router.replace(pathname, { scroll: false }))}
        />
      )}
      {revoking && <RevokeKeyDialog revoked={revoking} onClose={() => setRevoking(undefined)} />}
      {charted && <UsageDialog charted={charted} onClose={() => setCharted(undefined)} />}
    </div>
  );
}
