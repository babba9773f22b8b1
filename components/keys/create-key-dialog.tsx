"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/shell/network-context";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { ShownOnce } from "@/components/ui/shown-once";
import { useWork } from "@/components/ui/use-work";
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
  const [stored, setStored] = useState(false);
  return (
    <div className="grid gap-4">
      <ShownOnce
        what="key"
        label="API key"
        value={text}
        where="where my program reads it"
        loss="The service has its hash. If you lose the key, revoke it and create another."
        stored={stored}
        onStored={setStored}
      />
      <div className="flex justify-end">
        <Button tone="primary" disabled={!stored} onClick={onClose}>
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
  const { busy, error, run } = useWork();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expiresIn = String(form.get("expires"));
    return run(async () => {
      const { api_key } = await vault.run("createKey", {
        label: String(form.get("label")).trim(),
        agent: agent || undefined,
        expiresIn: expiresIn || undefined,
      });
      onCreated(api_key);
      await client.invalidateQueries({ queryKey: [network, "/api/keys"] });
    });
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
              <Options choices={agents.map(({ handle }) => ({ value: handle, name: handle }))} />
            </Select>
          )}
        </Field>
      )}
      <Field label="Expires">
        {(control) => (
          <Select {...control} name="expires">
            <Options choices={EXPIRIES} />
          </Select>
        )}
      </Field>
      <FormEnd error={error} busy={busy} verb="Create key" />
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
