/** The props of a dialog about one webhook. */
export interface WebhookDialogProps {
  webhookId: string;
  open: boolean;
  onClose: () => void;
}
