import type { ReactNode } from "react";
import { Logo } from "@/components/shell/logo";
import { Button } from "@/components/ui/button";

/**
 * A page opened by a link in an email. Mail scanners open links too, so nothing happens until a person presses the
 * button. A plain form that works without JavaScript.
 */
export function MailLinkPage({
  title,
  children,
  form,
}: {
  title: string;
  children: ReactNode;
  /** Where the button sends the link's token. Without it there is nothing to do. */
  form?: { token: string; action: string; button: string };
}) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-8 px-4 py-10">
      <a href="/" className="w-fit">
        <Logo />
      </a>
      <div className="grid gap-5 rounded-2xl border border-line bg-raised p-6 shadow-raised sm:p-8">
        <div className="grid gap-2">
          <h1 className="text-balance font-semibold text-xl tracking-tight">{title}</h1>
          <div className="text-pretty text-muted text-sm">{children}</div>
        </div>
        {form && (
          <form method="post" action={`${form.action}?token=${encodeURIComponent(form.token)}&page=1`}>
            <Button type="submit" tone="primary" className="w-full">
              {form.button}
            </Button>
          </form>
        )}
      </div>
    </main>
  );
}
