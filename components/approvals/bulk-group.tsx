import { ArrowRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { AgentName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import type { Total } from "./totals";

/**
 * Payments of one agent to one recipient, below their names.
 *
 * @param counted how many of them count, in words; undefined if the dialog's own total says so already
 * @param children its rows
 */
export function BulkGroup({
  agent,
  to,
  counted,
  totals,
  encrypted,
  children,
}: {
  agent: string;
  to: string;
  counted: string | undefined;
  totals: readonly Total[];
  encrypted: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
          <AgentName handle={agent} />
          <ArrowRight size={14} aria-hidden="true" className="text-faint" />
          <span className="sr-only">asks to pay</span>
          <span className="wrap-anywhere">{to}</span>
        </h3>
        {counted && (
          <p className="flex flex-wrap gap-x-3 text-muted text-xs">
            <span>{counted}</span>
            {totals.map(({ asset, amount }) => (
              <Amount key={asset} value={amount} asset={asset} encrypted={encrypted} />
            ))}
          </p>
        )}
      </div>
      <ul aria-labelledby={id}>{children}</ul>
    </div>
  );
}
