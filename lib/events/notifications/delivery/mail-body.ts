import type { NotificationMessage } from "./messages";

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

/** The lines below a message. */
interface Footer {
  /** The unsubscribe link; null for messages that are sent only once. */
  unsubscribe: string | null;
}

/** Returns a message as plain text. */
export function plainBody(
  { lines, action, path }: NotificationMessage,
  origin: string,
  { unsubscribe }: Footer,
): string {
  return [
    ...lines,
    "",
    `${action}: ${origin}${path}`,
    "",
    "Halcyon never asks for your keys or your recovery code by email.",
    ...(unsubscribe ? ["", `Stop these emails: ${unsubscribe}`] : []),
    "",
  ].join("\n");
}

/*
 * Mail programs render tables and inline styles; those that support media queries get the dark colors. The message
 * loads nothing from the network, so no one learns that it was opened.
 */
const STYLE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) { .card { padding: 24px 20px !important; } .page { padding: 16px 12px !important; } }
  @media (prefers-color-scheme: dark) {
    .page { background: #0e1012 !important; }
    .card { background: #16191c !important; border-color: #2a2f34 !important; }
    .ink { color: #f0f2f3 !important; }
    .muted { color: #a3abb2 !important; }
    .button { background: #3ecf9b !important; color: #07130e !important; }
  }`;

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Returns a message as HTML: one column, readable on a phone, dark if the reader's mail program is. */
export function htmlBody(message: NotificationMessage, origin: string, { unsubscribe }: Footer): string {
  const { subject, lines, action, path } = message;
  const text = lines
    .map(
      (line) =>
        `<p class="ink" style="margin:0 0 12px;font-size:15px;line-height:23px;color:#24292e">${escaped(line)}</p>`,
    )
    .join("\n");
  const end = unsubscribe
    ? `<br><a class="muted" href="${escaped(unsubscribe)}" style="color:#5c656d;text-decoration:underline">Stop these emails</a>`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${STYLE}</style>
</head>
<body style="margin:0;padding:0">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f6f7;padding:40px 16px;font-family:${FONT}">
<tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td class="ink" style="padding:0 4px 16px;font-size:15px;font-weight:600;color:#24292e">Halcyon</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e1e4e7;border-radius:12px;padding:32px">
<h1 class="ink" style="margin:0 0 16px;font-size:20px;line-height:27px;font-weight:600;color:#14181b">${escaped(subject)}</h1>
${text}
<a class="button" href="${escaped(origin + path)}" style="display:inline-block;margin-top:12px;padding:11px 18px;border-radius:8px;background:#0b7a5b;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escaped(action)}</a>
</td></tr>
<tr><td class="muted" style="padding:16px 4px 0;font-size:12px;line-height:19px;color:#5c656d">Halcyon never asks for your keys or your recovery code by email.${end}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
