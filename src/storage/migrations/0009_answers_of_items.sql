-- What a model answered about an item holds passages of it, and goes when the item's content does.
alter table model_answer add column item uuid;
--> statement-breakpoint
create index model_answer_item on model_answer (item) where item is not null;
