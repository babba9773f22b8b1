"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/shell/network-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { useVault } from "@/components/vault/vault-provider";
import type { KeyAgent } from "./keys";

const EXPIRIES = [
  { name: "Never", value: "" },
  { name: "In 7 days", value: "7d" },
  { name: "In 30 days", value: "30d" },
  { name: "In 90 days", value: "90d" },
  { name: "In a year", value: "365d" },
];

/** Says what the key will be able to do, before it is made. */
function Reach({ agent }: { agent: string }) {
  return agent === ""
    ? "It can spend your whole budget, act for your agents and approve what they hold."
    : `It can pay from ${agent} within its policy, and nothing else.`;
}

/** The key, once: it is in this page's memory and nowhere else. */
function Created({ text, onClose }: { text: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="grid gap-4">
      <Callout tone="warning" title="This is the only time the key is shown.">
        The service has its hash. If you lose the key, revoke it and create another.
      </Callout>
      <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken p-3">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{text}</code>
        <CopyButton value={text} label="API key" text="Copy key" onCopied={() => setCopied(true)} />
      </div>
      <Checkbox label="I have stored the key where my program reads it." checked={copied} onChange={setCopied} />
      <div className="flex justify-end">
        <Button tone="primary" disabled={!copied} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function Form({ agents, only, onCreated }: { agents: KeyAgent[]; only?: KeyAgent; onCreated: (text: string) => void }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const [agent, setAgent] = useState(only?.handle ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expiresIn = String(form.get("expires"));
    setBusy(true);
    setError(undefined);
    try {
      const { api_key } = await vault.run("createKey", {
        label: String(form.get("label")).trim(),
        agent: agent || undefined,
        expiresIn: expiresIn || undefined,
      });
      onCreated(api_key);
      await client.invalidateQueries({ queryKey: [network, "/api/keys"] });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Label" hint="What uses it, such as the name of a server.">
        {(control) => <Input {...control} name="label" required maxLength={80} autoComplete="off" autoFocus />}
      </Field>
      {only ? (
        <p className="text-pretty text-muted text-sm">
          <Reach agent={only.handle} />
        </p>
      ) : (
        <Field label="Pays from" hint={<Reach agent={agent} />}>
          {(control) => (
            <Select {...control} name="agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
              <option value="">Your account</option>
              {agents.map(({ handle }) => (
                <option key={handle} value={handle}>
                  {handle}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label="Expires">
        {(control) => (
          <Select {...control} name="expires">
            {EXPIRIES.map(({ name, value }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {error !== undefined && <Callout tone="danger">{messageOf(error)}</Callout>}
      <div className="flex justify-end">
        <Button type="submit" tone="primary" busy={busy}>
          Create key
        </Button>
      </div>
    </form>
  );
}

/** Makes a key in the vault and shows it once. It cannot be closed by accident before the key is copied. */
export function CreateKeyDialog({
  open,
  agents,
  only,
  onClose,
}: {
  open: boolean;
  agents: KeyAgent[];
  /** The key is to be this agent's, without a choice. */
  only?: KeyAgent;
  onClose: () => void;
}) {
  const [text, setText] = useState<string>();
  const close = () => {
    setText(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      dismissible={text === undefined}
      title={text ? "Copy your key" : "Create API key"}
      description={text ? undefined : "The key is made in this browser and shown once."}
    >
      {text ? <Created text={text} onClose={close} /> : <Form agents={agents} only={only} onCreated={setText} />}
    </Dialog>
  );
}
