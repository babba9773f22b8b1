import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

const TONES = {
  info: { box: "border-line bg-sunken", mark: "text-muted", Icon: Info },
  success: { box: "border-transparent bg-success-soft", mark: "text-success", Icon: CircleCheck },
  warning: { box: "border-transparent bg-warning-soft", mark: "text-warning", Icon: TriangleAlert },
  danger: { box: "border-transparent bg-danger-soft", mark: "text-danger", Icon: CircleAlert },
};

/**
 * A message in the page: what the situation is and what to do. A danger is announced when it appears. In narrow places
 * the action goes below the text.
 */
export function Callout({
  tone = "info",
  alert = tone === "danger",
  title,
  children,
  action,
  corner,
}: {
  tone?: keyof typeof TONES;
  /** Whether it is announced when it appears, as a danger is. */
  alert?: boolean;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Stays in the corner even in narrow places, such as a button that dismisses the message. */
  corner?: ReactNode;
}) {
  const { box, mark, Icon } = TONES[tone];
  return (
    <div
      role={alert ? "alert" : undefined}
      className={classNames("@container flex gap-3 rounded-lg border px-3.5 py-3 text-sm", box)}
    >
      <Icon size={16} aria-hidden="true" className={classNames("mt-0.5 shrink-0", mark)} />
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-2.5 @sm:flex @sm:items-start">
        <div className="min-w-0 flex-1">
          {title && <p className="wrap-anywhere font-medium text-ink">{title}</p>}
          {children && (
            <div className={classNames("wrap-anywhere text-pretty", title ? "mt-0.5 text-muted" : undefined)}>
              {children}
            </div>
          )}
        </div>
        {action && <div className="shrink-0">{action}</div>}
      </div>
      {corner}
    </div>
  );
}
