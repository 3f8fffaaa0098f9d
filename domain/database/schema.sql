create table "plan" ("name" varchar(64) not null, "rate_limit_per_minute" int not null, "read_rate_limit_per_minute" int not null, "monthly_quota" int not null, "hard_limit" int not null, "overage" boolean not null, primary key ("name"));

create table "signing_key" ("kid" varchar(64) not null, "public_jwk" jsonb not null, "sealed_private_jwk" bytea not null, "created_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, "published_until" timestamptz(3) null, primary key ("kid"));
create unique index "signing_key_one_active" on "signing_key" ((retired_at is null)) where retired_at is null;

create table "tenant" ("id" uuid not null, "name" varchar(200) not null, "plan_name" varchar(64) not null, "subscription" text not null, "created_at" timestamptz(3) not null, "provisioned_at" timestamptz(3) null, "disabled_at" timestamptz(3) null, "webhook_url" varchar(2048) null, "return_url" varchar(2048) null, primary key ("id"));
alter table "tenant" add constraint "tenant_subscription_check" check ("subscription" in ('active', 'inactive'));

create table "start_reservation" ("id" uuid not null, "tenant_id" uuid not null, "month" date not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "start_reservation_age" on "start_reservation" ("created_at");

create table "member" ("tenant_id" uuid not null, "issuer" varchar(500) not null, "subject" varchar(255) not null, "role" text not null, "added_at" timestamptz(3) not null, primary key ("tenant_id", "issuer", "subject"));
create index "member_user" on "member" ("issuer", "subject");
alter table "member" add constraint "member_role_check" check ("role" in ('viewer', 'developer', 'owner'));

create table "idempotency_key" ("tenant_id" uuid not null, "key" varchar(255) not null, "input_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "holder" uuid not null, "held_until" timestamptz(3) not null, "answer" bytea null, primary key ("tenant_id", "key"));
create index "idempotency_key_age" on "idempotency_key" ("created_at");

create table "delivery" ("id" uuid not null, "tenant_id" uuid not null, "verification_id" uuid not null, "body" text not null, "state" text not null, "attempts" smallint not null default 0, "due_at" timestamptz(3) not null, "lease_until" timestamptz(3) null, "claim_token" uuid null, "created_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, primary key ("id"));
alter table "delivery" add constraint "delivery_verification_id_unique" unique ("verification_id");
create index "delivery_waiting" on "delivery" ("tenant_id", "due_at", "id") where state = 'pending';
create index "delivery_in_flight" on "delivery" ("lease_until", "tenant_id") where state = 'in_flight';
create index "delivery_age" on "delivery" ("created_at");
alter table "delivery" add constraint "delivery_state_check" check ("state" in ('pending', 'in_flight', 'delivered', 'failed'));

create table "audit_event" ("id" uuid not null, "tenant_id" uuid not null, "at" timestamptz(3) not null, "actor" varchar(255) not null, "actor_ip" varchar(64) null, "action" varchar(64) not null, "target" varchar(500) null, "changes" jsonb not null, primary key ("id"));
create index "audit_event_newest" on "audit_event" ("tenant_id", "id");

create table "api_key" ("id" uuid not null, "tenant_id" uuid not null, "name" varchar(100) not null, "hash" varchar(64) not null, "display_start" varchar(16) not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("id"));
alter table "api_key" add constraint "api_key_hash_unique" unique ("hash");
create index "api_key_tenant" on "api_key" ("tenant_id", "created_at");

create table "usage_day" ("tenant_id" uuid not null, "day" date not null, "started" int not null default 0, "approved" int not null default 0, "denied" int not null default 0, "rejected" int not null default 0, "submitted" int not null default 0, "resubmission" int not null default 0, primary key ("tenant_id", "day"));

create table "usage_month" ("tenant_id" uuid not null, "month" date not null, "used" int not null, primary key ("tenant_id", "month"));

create table "verification" ("id" uuid not null, "tenant_id" uuid not null, "status" text not null, "provider_session_id" varchar(200) not null, "attempt_id" varchar(200) null, "past_attempt_ids" text[] not null default '{}', "decided_at" timestamptz(3) null, "revision" int not null default 0, "confidence" double precision null, "over18" boolean null, "created_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, "closes_at" timestamptz(3) not null, "ask_provider_at" timestamptz(3) null, "asks_in_vain" smallint not null default 0, "closing_tries" smallint not null default 0, "user_agent" varchar(1024) null, "ip" varchar(64) null, "forget_at" timestamptz(3) null, primary key ("id"));
alter table "verification" add constraint "verification_provider_session_id_unique" unique ("provider_session_id");
create index "verification_newest" on "verification" ("tenant_id", "id");
create index "verification_newest_of_status" on "verification" ("tenant_id", "status", "id");
create index "verification_closing" on "verification" ("closes_at") where completed_at is null;
create index "verification_asking" on "verification" ("ask_provider_at") where ask_provider_at is not null;
create index "verification_forgetting" on "verification" ("forget_at") where forget_at is not null;
alter table "verification" add constraint "verification_status_check" check ("status" in ('pending', 'started', 'submitted', 'approved', 'denied', 'resubmission', 'rejected'));

create table "token" ("id" uuid not null, "verification_id" uuid not null, "kid" varchar(64) not null, "jwt" text not null, "over18" boolean not null, "issued_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, primary key ("id"));
alter table "token" add constraint "token_verification_id_unique" unique ("verification_id");
create index "token_signing_key" on "token" ("kid", "expires_at");

create table "verification_change" ("id" bigserial primary key, "verification_id" uuid not null, "at" timestamptz(3) not null, "status" text not null, "source" text not null, "applied" boolean not null, "attempt_id" varchar(200) null, "code" int null, "reason_code" varchar(100) null, "score" double precision null, "decided_at" timestamptz(3) null);
create index "verification_change_timeline" on "verification_change" ("verification_id", "id");
alter table "verification_change" add constraint "verification_change_status_check" check ("status" in ('pending', 'started', 'submitted', 'approved', 'denied', 'resubmission', 'rejected'));
alter table "verification_change" add constraint "verification_change_source_check" check ("source" in ('provider', 'tenant', 'service'));

create table "webhook_secret" ("id" uuid not null, "tenant_id" uuid not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, "valid_until" timestamptz(3) null, primary key ("id"));
create index "webhook_secret_tenant" on "webhook_secret" ("tenant_id", "created_at");
create index "webhook_secret_ending" on "webhook_secret" ("valid_until") where valid_until is not null;

alter table "tenant" add constraint "tenant_plan_name_foreign" foreign key ("plan_name") references "plan" ("name");

alter table "start_reservation" add constraint "start_reservation_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "member" add constraint "member_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "idempotency_key" add constraint "idempotency_key_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "delivery" add constraint "delivery_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "audit_event" add constraint "audit_event_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "api_key" add constraint "api_key_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "usage_day" add constraint "usage_day_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "usage_month" add constraint "usage_month_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "verification" add constraint "verification_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "token" add constraint "token_verification_id_foreign" foreign key ("verification_id") references "verification" ("id");
alter table "token" add constraint "token_kid_foreign" foreign key ("kid") references "signing_key" ("kid");

alter table "verification_change" add constraint "verification_change_verification_id_foreign" foreign key ("verification_id") references "verification" ("id");

alter table "webhook_secret" add constraint "webhook_secret_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");
