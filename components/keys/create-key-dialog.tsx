"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { ShownOnce } from "@/components/ui/shown-once";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { SCOPE_PRESETS, type ScopePreset } from "@/lib/base/key-scopes";
import { ACCESS_CHOICES, reachOf } from "./key-access";
import type { KeyAgent } from "./key-agent";
import { KeyNotKnown } from "./key-not-known";

const EXPIRIES = [
  { name: "In 7 days", value: "7d" },
  { name: "In 30 days", value: "30d" },
  { name: "In 90 days", value: "90d" },
  { name: "In a year", value: "365d" },
  { name: "Never", value: "" },
];
/** Keys expire after a year, so that forgotten ones stop working. The overview announces it a month before. */
const EXPIRES = "365d";

/** The value that stands for the account itself. No agent has this handle. */
const OWN = "own";

/** Shows the API key once. It exists only in this page's memory. */
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

function Form({
  agents,
  only,
  onCreated,
  onLook,
}: {
  agents: KeyAgent[];
  only?: KeyAgent;
  onCreated: (text: string) => void;
  /** Shows the list of keys. */
  onLook: () => void;
}) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  // If there is a choice, no payer is preselected: the account's own key reaches the most.
  const [payer, setPayer] = useState(only?.handle ?? (agents.length === 0 ? OWN : ""));
  const agent = payer === OWN ? "" : payer;
  const [chosen, setChosen] = useState<ScopePreset>("payments");
  const offered = ACCESS_CHOICES.filter(({ agents: forAgents }) => agent === "" || forAgents);
  // A preset chosen for the account may not exist for an agent.
  const preset = offered.some(({ value }) => value === chosen) ? chosen : "payments";
  const [label, setLabel] = useState("");
  const { busy, error, isUnknown, run } = useAsyncAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expiresIn = String(form.get("expires"));
    const addresses = String(form.get("addresses"))
      .split(/[\s,]+/)
      .filter(Boolean);
    return run(async () => {
      try {
        const { api_key } = await vault.run("createKey", {
          label: label.trim(),
          agent: agent || undefined,
          expiresIn: expiresIn || undefined,
          scopes: SCOPE_PRESETS[preset] ?? undefined,
          allowedIps: addresses.length > 0 ? addresses : undefined,
        });
        onCreated(api_key);
      } finally {
        // After a failure too, because it may have been created.
        void client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/keys") });
      }
    });
  };
  if (isUnknown) {
    return (
      <KeyNotKnown label={label.trim()}>
        <Button size="small" autoFocus onClick={onLook}>
          Look at your keys
        </Button>
      </KeyNotKnown>
    );
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Label" hint="What uses it, such as the name of a server.">
        {(control) => (
          <Input
            {...control}
            value={label}
            onChange={(event) => setLabel(event.target.value)}
            required
            maxLength={80}
            autoComplete="off"
            autoFocus
          />
        )}
      </Field>
      {!only && (
        <Field label="Pays from">
          {(control) => (
            <Select {...control} name="agent" required value={payer} onChange={(event) => setPayer(event.target.value)}>
              {payer === "" && <option value="">Choose</option>}
              <option value={OWN}>Your account: all of its available balance</option>
              <Options choices={agents.map(({ handle }) => ({ value: handle, name: handle }))} />
            </Select>
          )}
        </Field>
      )}
      <Field label="Access" hint={reachOf(preset, agent)}>
        {(control) => (
          <Select
            {...control}
            name="access"
            value={preset}
            onChange={(event) => setChosen(event.target.value as ScopePreset)}
          >
            <Options choices={offered} />
          </Select>
        )}
      </Field>
      <Field
        label="Allowed IP addresses"
        optional
        hint="Leave it empty to allow any. Separate several with commas: 203.0.113.7, 203.0.113.0/24"
      >
        {(control) => <Input {...control} name="addresses" autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label="Expires">
        {(control) => (
          <Select {...control} name="expires" defaultValue={EXPIRES}>
            <Options choices={EXPIRIES} />
          </Select>
        )}
      </Field>
      <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb="Create key" />
    </form>
  );
}

/** Creates an API key in the vault and shows it once. Can't be closed by accident before the key is copied. */
export function CreateKeyDialog({
  open,
  agents,
  only,
  onClose,
}: {
  open: boolean;
  agents: KeyAgent[];
  /** Creates the key for this agent, without offering a choice. */
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
      description={text ? undefined : "The key is created in this browser and shown once."}
    >
      {text ? (
        <Created text={text} onClose={close} />
      ) : (
        <Form agents={agents} only={only} onCreated={setText} onLook={close} />
      )}
    </Dialog>
  );
}
