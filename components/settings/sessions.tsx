"use client";

import { useQueryClient } from "@tanstack/react-query";
import { LogOut, Monitor, Smartphone, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useSignOut } from "@/components/vault/use-sign-out";
import { describeUserAgent } from "./describe-user-agent";
import { groupSessions, type ListedSession, type SessionGroup } from "./group-sessions";

const ICONS = { computer: Monitor, phone: Smartphone, program: SquareTerminal };

function Device({ group: { name, kind, sessions } }: { group: SessionGroup }) {
  const Icon = ICONS[kind];
  return (
    <span className="flex items-center gap-3">
      <Icon size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{name}</span>
        {sessions.some(({ current }) => current) && <Badge tone="accent">This browser</Badge>}
        {sessions.length > 1 && <Badge>{sessions.length} sessions</Badge>}
      </span>
    </span>
  );
}

function SignOutButton() {
  const signOut = useSignOut();
  const { busy, run } = useAsyncAction({ failed: "You are still signed in" });
  return (
    <Button size="small" busy={busy} icon={<LogOut size={14} aria-hidden="true" />} onClick={() => run(signOut)}>
      Sign out
    </Button>
  );
}

/** Lists where the wallet is signed in. An ended session is refused from its next request on, on every server. */
export function Sessions({ initial }: { initial: { sessions: ListedSession[] } }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useResource("/api/sessions", { initial });
  const [ending, setEnding] = useState<ListedSession[]>([]);
  const [asked, setAsked] = useState<ListedSession[]>([]);
  const sessions = data?.sessions ?? [];
  const others = sessions.filter(({ current }) => !current);
  const ask = (list: ListedSession[]) => {
    setEnding(list);
    setAsked(list);
  };
  const revoke = async () => {
    const calls = asked.map(({ session_id }) => api(network).delete(`/api/sessions/${session_id}`));
    const ended = await Promise.allSettled(calls);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/sessions") });
    const failed = ended.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    toast.success(asked.length === 1 ? "Session ended" : `${asked.length} sessions ended`);
  };
  const [first] = asked;
  const one = asked.length === 1 && first;
  const columns: Column<SessionGroup>[] = [
    { name: "Signed in with", heading: true, cell: (group) => <Device group={group} /> },
    {
      name: "Address",
      cell: ({ address }) => (
        // An IPv6 address does not fit on one line.
        <span
          className={classNames(
            "font-mono text-[13px] text-muted",
            address?.includes(":") ? "wrap-anywhere" : "whitespace-nowrap",
          )}
        >
          {address ?? "Unknown"}
        </span>
      ),
    },
    { name: "Since", cell: ({ since }) => <Time value={since} className="text-muted lg:whitespace-nowrap" /> },
    { name: "Ends", cell: ({ ends }) => <Time value={ends} className="text-muted lg:whitespace-nowrap" /> },
    {
      name: "Action",
      align: "end",
      className: "max-sm:mt-2",
      cell: ({ name, sessions }) =>
        sessions.some(({ current }) => current) ? (
          <SignOutButton />
        ) : (
          <Button
            data-early
            size="small"
            onClick={() => ask(sessions)}
            aria-label={`${sessions.length > 1 ? "Revoke all" : "Revoke"} ${name}`}
          >
            {sessions.length > 1 ? "Revoke all" : "Revoke"}
          </Button>
        ),
    },
  ];
  return (
    <Card
      id="sessions"
      flush
      title="Sessions"
      description="Where your wallet is signed in, on both networks. A session reads lists and changes settings. It can't decrypt amounts or pay without your keys."
      action={
        others.length > 1 && (
          <Button data-early size="small" onClick={() => ask(others)}>
            Revoke all others
          </Button>
        )
      }
    >
      <Table label="Sessions" columns={columns} rows={groupSessions(sessions)} rowKey={({ key }) => key} />
      <ConfirmDialog
        open={ending.length > 0}
        onClose={() => setEnding([])}
        title={one ? `Revoke ${describeUserAgent(one.user_agent).name}?` : `Revoke ${asked.length} sessions?`}
        keep={one ? "Keep session" : "Keep sessions"}
        confirm={one ? "Revoke session" : "Revoke sessions"}
        onConfirm={revoke}
      >
        <p>
          {one ? "It is" : "They are"} signed out with the next request. Your wallet can sign in again there at any
          time.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
