"use client";

import { ArrowRight, CircleCheck } from "lucide-react";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { ShownOnce } from "@/components/ui/shown-once";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { WrittenHours } from "@/components/ui/written-hours";
import { policyInWords } from "@/lib/policy/in-words";
import type { AgentCreation } from "./create-steps";
import { sampleCurl } from "./sample-payment";

/** Shows a new agent: its API key (once), a command that pays with it, and a link to its page. */
export function CreatedAgent({
  agent,
  creation: { wanted, keyText },
  origin,
}: {
  agent: NonNullable<AgentCreation["agent"]>;
  creation: AgentCreation;
  origin: string;
}) {
  const network = useNetwork();
  const [stored, setStored] = useState(false);
  const guarded = keyText !== undefined && !stored;
  return (
    <Card
      title={
        <span className="flex items-center gap-2" role="status">
          <CircleCheck size={18} aria-hidden="true" className="shrink-0 text-success" />
          <span className="wrap-anywhere">{agent.handle} is ready</span>
        </span>
      }
      description={<WrittenHours>{policyInWords(wanted.policy)}</WrittenHours>}
    >
      <UnsavedGuard
        unsaved={guarded}
        what="The key is shown only here. If you leave before you have stored it, revoke it and create another."
      />
      <div className="grid gap-4">
        {keyText && (
          <ShownOnce
            what="key"
            label="API key"
            value={keyText}
            where="where my program reads it"
            loss="The service has its hash. If you lose the key, revoke it and create another."
            stored={stored}
            onStored={setStored}
          />
        )}
        <CodeBlock
          commands
          title={
            keyText ? "Its first payment; the command contains the key" : "Its first payment, with a key of the agent"
          }
          code={sampleCurl(origin, keyText ?? "$HALCYON_API_KEY", wanted.policy)}
        />
        <div className="flex justify-end">
          <Link href={`/${network}/agents/${agent.account_id}`} className={buttonClass("primary")}>
            Open the agent
            <ArrowRight size={15} aria-hidden="true" />
          </Link>
        </div>
      </div>
    </Card>
  );
}
