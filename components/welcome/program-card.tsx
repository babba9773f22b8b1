"use client";

import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { KeyNotKnown } from "@/components/keys/key-not-known";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { ShownOnce } from "@/components/ui/shown-once";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";

const LABEL = "First key";

/** Returns the command that pays again, as a program would. */
function curlLine(origin: string, key: string, to: string): string {
  return `curl ${origin}/v1/transfers \\
  -H "Authorization: Bearer ${key}" \\
  -d '{"to": "${to}", "amount": "1.50", "memo": "hello"}'`;
}

/**
 * What a developer does after the first payment: creates an API key, and pays with it.
 *
 * @param to whom the command pays. Never a placeholder: someone with such a handle would be paid.
 */
export function ProgramCard({ to }: { to: string | undefined }) {
  const vault = useVault();
  const network = useNetwork();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [key, setKey] = useState<string>();
  const [stored, setStored] = useState(false);
  const create = () => run(async () => setKey((await vault.run("createKey", { label: LABEL })).api_key));
  return (
    <Card title="Pay from a program" description="An API key pays from your available balance.">
      <div className="grid gap-4 text-sm">
        <UnsavedGuard
          unsaved={key !== undefined && !stored}
          what="The key is shown only here. If you leave before you have stored it, revoke it and create another."
        />
        {key ? (
          <>
            <ShownOnce
              what="key"
              label="API key"
              value={key}
              where="where my program reads it"
              loss="The service has its hash. If you lose the key, revoke it and create another."
              stored={stored}
              onStored={setStored}
            />
            {to && <CodeBlock code={curlLine(location.origin, key, to)} title="Terminal" commands />}
          </>
        ) : isUnknown ? (
          <KeyNotKnown label={LABEL}>
            <Link href={`/${network}/developers/keys`} className={buttonClass()}>
              Look at your keys
            </Link>
          </KeyNotKnown>
        ) : (
          <>
            {error && <Callout tone="danger">{error}</Callout>}
            <div>
              <Button busy={busy} onClick={create}>
                Create API key
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
