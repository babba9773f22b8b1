"use client";

import { type FormEvent, type ReactNode, type RefObject, useId } from "react";
import { useNetwork } from "@/components/shell/network-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "./failure";
import { Working } from "./working";

/**
 * The form of an act that moves money; on the live network it is marked as such. While it runs the dialog cannot be left by accident; what failed is said below
 * the fields, with the remedy.
 */
export function ActDialog({
  title,
  description,
  initialFocus,
  onClose,
  onSubmit,
  submit,
  act,
  working,
  failed,
  asset,
  agent,
  children,
}: {
  title: string;
  description: string;
  initialFocus?: RefObject<HTMLElement | null>;
  onClose: () => void;
  onSubmit: () => void;
  /** The verb of the button that sends the form, or a button in place of it. */
  submit: string | ReactNode;
  act: { isPending: boolean; error: Error | null };
  /** What goes on; undefined while nothing does. */
  working?: string;
  /** What has not happened, when the act failed. */
  failed: string;
  asset: string;
  /** Handle, where the money is an agent's. */
  agent?: string;
  children: ReactNode;
}) {
  const form = useId();
  const network = useNetwork();
  const busy = working !== undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        network === "live" ? (
          <span className="flex items-center gap-2">
            {title} <Badge tone="live">Live</Badge>
          </span>
        ) : (
          title
        )
      }
      description={description}
      dismissible={!act.isPending}
      initialFocus={initialFocus}
      footer={
        <>
          <Button onClick={onClose} disabled={act.isPending}>
            Cancel
          </Button>
          {typeof submit === "string" ? (
            <Button tone="primary" type="submit" form={form} busy={busy}>
              {submit}
            </Button>
          ) : (
            submit
          )}
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onSubmit();
        }}
        noValidate
        className="grid gap-4"
      >
        {children}
        {busy && <Working>{working}</Working>}
        {act.error && <Failure error={act.error} asset={asset} agent={agent} title={failed} />}
      </form>
    </Dialog>
  );
}
