import type { ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";

/** Something could not be read, and can be asked for again. */
export function RetryCallout({
  title,
  tone = "danger",
  busy,
  onRetry,
  children,
}: {
  title: string;
  tone?: "danger" | "warning";
  busy?: boolean;
  onRetry: () => unknown;
  /** Why. */
  children: ReactNode;
}) {
  return (
    <Callout
      tone={tone}
      title={title}
      action={
        <Button size="small" busy={busy} onClick={() => onRetry()}>
          Try again
        </Button>
      }
    >
      {children}
    </Callout>
  );
}
