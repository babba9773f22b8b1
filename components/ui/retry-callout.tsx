import type { ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";

/** Says that something could not be loaded, with a button to try again. */
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
  /** The reason. */
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
