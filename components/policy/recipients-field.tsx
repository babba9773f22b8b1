"use client";

import { X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { repeatText, useEarly } from "@/components/ui/early-input";
import { recipientInWords } from "@/lib/policy/number-words";
import { isPattern, normaliseRecipient } from "@/lib/policy/recipients";
import type { DraftProblems } from "./draft";

const SEPARATORS = /[\s,;]+/;

/** Edits whom the agent may pay, as chips. An invalid entry stays in the field to be corrected. */
export function RecipientsField({
  entries,
  onEntries,
  publicPayments,
  problems,
  disabled,
}: {
  entries: readonly string[];
  onEntries: (entries: string[]) => void;
  /** Whether sellers that only take public payments may be paid. The chain then checks no recipient. */
  publicPayments: boolean;
  /** Errors by path, such as `allowed_recipients.2`. */
  problems: DraftProblems;
  disabled?: boolean;
}) {
  const id = useId();
  const input = useEarly<HTMLInputElement>(repeatText);
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const anyone = entries.includes("*");
  const wildcard = entries.some(isPattern);

  const add = (typed: string) => {
    const added = typed.split(SEPARATORS).filter((entry) => entry !== "");
    if (added.length === 0) return;
    const names = added.map((entry) => normaliseRecipient(entry) ?? entry);
    onEntries([...new Set([...entries, ...names])]);
    setText("");
    setSaid(`${names.join(", ")} added`);
  };
  const remove = (entry: string) => {
    onEntries(entries.filter((each) => each !== entry));
    setSaid(`${entry} removed`);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = entries.at(-1);
    if ((event.key === "Enter" || event.key === ",") && text.trim() !== "") {
      event.preventDefault();
      add(text);
    } else if (event.key === "Enter") event.preventDefault();
    else if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!SEPARATORS.test(pasted.trim())) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };
  const wrong = entries.flatMap((entry, index) => {
    const problem = problems[`allowed_recipients.${index}`];
    return problem ? [{ entry, problem }] : [];
  });
  const problem = problems.allowed_recipients ?? (wrong[0] && `${wrong[0].entry}: ${wrong[0].problem}`);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        Recipients
      </label>
      <div
        className={classNames(
          "flex flex-wrap items-center gap-1.5 rounded-lg border bg-raised p-1.5 shadow-raised focus-within:border-accent",
          problem ? "border-danger" : "border-line-strong",
        )}
      >
        {entries.length > 0 && (
          <ul aria-label="Allowed recipients" className="contents">
            {entries.map((entry) => (
              <li
                key={entry}
                className={classNames(
                  "flex min-w-0 max-w-full items-center gap-0.5 rounded-md pl-2 text-[13px]",
                  wrong.some((each) => each.entry === entry) ? "bg-danger-soft text-danger" : "bg-sunken",
                )}
              >
                <span title={entry} className={classNames("truncate", entry.startsWith("0x") && "font-mono")}>
                  {entry === "*" ? "Anyone" : recipientInWords(entry)}
                </span>
                <button
                  type="button"
                  aria-label={`Remove ${entry === "*" ? "anyone" : entry}`}
                  disabled={disabled}
                  onClick={() => remove(entry)}
                  className="grid size-6 shrink-0 place-items-center rounded-md text-muted hover:text-ink pointer-coarse:size-9"
                >
                  <X size={13} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          id={id}
          ref={input}
          value={text}
          // What was typed and left before the page's scripts had loaded is taken, as when it is left now.
          onChange={({ target }) => (document.activeElement === target ? setText(target.value) : add(target.value))}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => add(text)}
          placeholder={entries.length === 0 ? "@handle, *.domain or 0x…" : "Add another"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={disabled}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={problem ? true : undefined}
          className="h-6.5 min-w-32 flex-1 bg-transparent px-1.5 text-base outline-none placeholder:text-faint sm:text-sm pointer-coarse:h-9"
        />
      </div>
      <p id={`${id}-hint`} className="text-pretty text-muted text-xs">
        {anyone ? (
          `It may pay anyone. Remove Anyone to name whom; the ${publicPayments ? "service" : "chain"} then refuses all others.`
        ) : (
          <>
            Handles, addresses, or *.acme.com for every handle below a domain.{" "}
            <button
              type="button"
              disabled={disabled}
              onClick={() => add("*")}
              className="font-medium text-ink underline underline-offset-2"
            >
              Allow anyone
            </button>
            {(wildcard || publicPayments) &&
              ` With ${wildcard ? "a domain in the list" : "public payments"}, only the service checks recipients; the chain checks amounts.`}
          </>
        )}
      </p>
      <p id={`${id}-error`} aria-live="polite" className="wrap-anywhere text-danger text-xs empty:hidden">
        {problem}
      </p>
      <span role="status" className="sr-only">
        {said}
      </span>
    </div>
  );
}
