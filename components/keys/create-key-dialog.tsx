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
import { needsSecret, SCOPE_PRESETS, type ScopePreset } from "@/lib/base/key-scopes";
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

/** What pays with the key decides who builds its payments. The first shows the service no amount, and is preselected. */
const USES = [
  { value: "ours", name: "Our SDK, command line or proxy" },
  { value: "any", name: "Any HTTP client, such as curl" },
] as const;
const BUILT_BY: Record<(typeof USES)[number]["value"], string> = {
  ours: "A blind key: a home key beside it builds payments on your machine, and the service sees no amount.",
  any: "A plain key: to build a payment, the service decrypts your available balance in its memory.",
};

/** The value that stands for the account itself. No agent has this handle. */
const OWN = "own";

/** What is shown once. */
interface CreatedTexts {
  api_key: string;
  home_key?: string;
}

/** Shows the API key, and its home key if it has one, once. They exist only in this page's memory. */
function Created({ texts: { api_key: text, home_key: home }, onClose }: { texts: CreatedTexts; onClose: () => void }) {
  const [stored, setStored] = useState(false);
  const [homeStored, setHomeStored] = useState(home === undefined);
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
      {home !== undefined && (
        <ShownOnce
          what="home key"
          label="Home key"
          value={home}
          where="beside it, on the machine that pays"
          loss="The service does not have it, and must never get it. If you lose it, revoke the API key and create another."
          stored={homeStored}
          onStored={setHomeStored}
        />
      )}
      <div className="flex justify-end">
        <Button tone="primary" disabled={!stored || !homeStored} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function Form({
  agents,
  only,
  strict,
  onCreated,
  onLook,
}: {
  agents: KeyAgent[];
  only?: KeyAgent;
  strict: boolean;
  onCreated: (texts: CreatedTexts) => void;
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
  // Under strict mode no key signs a payment.
  const pays = !strict && needsSecret(SCOPE_PRESETS[preset]);
  const [use, setUse] = useState<keyof typeof BUILT_BY>("ours");
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
        const created = await vault.run("createKey", {
          blind: pays && use === "ours",
          label: label.trim(),
          agent: agent || undefined,
          expiresIn: expiresIn || undefined,
          scopes: SCOPE_PRESETS[preset] ?? undefined,
          allowedIps: addresses.length > 0 ? addresses : undefined,
        });
        onCreated(created);
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
      {pays && (
        <Field label="Used by" hint={BUILT_BY[use]}>
          {(control) => (
            <Select {...control} value={use} onChange={(event) => setUse(event.target.value as keyof typeof BUILT_BY)}>
              <Options choices={USES} />
            </Select>
          )}
        </Field>
      )}
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
  strict,
  onClose,
}: {
  open: boolean;
  agents: KeyAgent[];
  /** Creates the key for this agent, without offering a choice. */
  only?: KeyAgent;
  /** Whether strict mode is on: keys pay only what the wallet signs. */
  strict: boolean;
  onClose: () => void;
}) {
  const [texts, setTexts] = useState<CreatedTexts>();
  const close = () => {
    setTexts(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      dismissible={texts === undefined}
      title={texts ? (texts.home_key ? "Copy both keys" : "Copy your key") : "Create API key"}
      description={texts ? undefined : "The key is created in this browser and shown once."}
    >
      {texts ? (
        <Created texts={texts} onClose={close} />
      ) : (
        <Form agents={agents} only={only} strict={strict} onCreated={setTexts} onLook={close} />
      )}
    </Dialog>
  );
}
