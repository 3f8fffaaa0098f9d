create type "verification_status" as enum ('pending', 'started', 'submitted', 'approved', 'denied', 'resubmission', 'rejected');
create type verification_change_source as enum ('provider', 'service');
create type verification_change as (at timestamptz(3), status verification_status,
     source verification_change_source, code int, attempt smallint, applied boolean, reason_code text,
     decided_at timestamptz(3));
create type "identity_provider" as enum ('veriff');
create type "webhook_event_type" as enum ('verification.completed');
create table "change_number" ("tenant_id" uuid not null, "last" bigint not null, primary key ("tenant_id"));

create table "open_verification" ("verification_id" uuid not null, "tenant_id" uuid not null, "closes_at" timestamptz(3) not null, "poll_at" timestamptz(3) null, "status" "verification_status" not null, "poll_attempts" smallint not null default 0, "close_attempts" smallint not null default 0, primary key ("verification_id"));
create index "open_verification_closes_at" on "open_verification" ("closes_at");
create index "open_verification_poll_at" on "open_verification" ("poll_at") where poll_at is not null;
create index "open_verification_status" on "open_verification" ("tenant_id", "status", "verification_id");

create table "plan" ("name" varchar(64) not null, "rate_limit_per_minute" int not null, "read_rate_limit_per_minute" int not null, "monthly_quota" int not null, "hard_limit" int not null, "overage" boolean not null, primary key ("name"));

create table "practice_statement" ("version" int not null, "published_at" timestamptz(3) not null, "sha256" varchar(64) not null, "statement" text not null, primary key ("version"));

create table "revoked_token" ("signer" smallint not null, "status_index" int not null, "expires_on" date not null, primary key ("signer", "status_index"));

create table "service_audit_event" ("id" uuid not null, "at" timestamptz(3) not null, "actor_kind" text not null, "actor_issuer" varchar(500) null, "actor_subject" varchar(255) null, "actor_name" varchar(255) null, "actor_ip" varchar(64) null, "action" varchar(64) not null, "target" varchar(500) null, "changes" jsonb not null, primary key ("id"));
alter table "service_audit_event" add constraint "service_audit_event_actor_kind_check" check ("actor_kind" in ('member', 'api_key', 'operator', 'service'));

create table "service_setting" ("name" varchar(64) not null, "value" varchar(100) not null, "updated_at" timestamptz(3) not null, primary key ("name"));

create table "session_deletion" ("verification_id" uuid not null, "tenant_id" uuid not null, "provider_session_id" varchar(200) null, "queued_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "asked_at" timestamptz(3) null, "rejection" varchar(32) null, primary key ("verification_id"));

create table "signing_key" ("kid" varchar(64) not null, "public_jwk" jsonb not null, "encrypted_private_jwk" bytea not null, "created_at" timestamptz(3) not null, "signs_from" timestamptz(3) not null, "retired_at" timestamptz(3) null, "published_until" timestamptz(3) null, "compromised_at" timestamptz(3) null, "test" boolean not null default false, primary key ("kid"));
create unique index "signing_key_active" on "signing_key" ("test") where retired_at is null;

create table "simulated_session" ("id" uuid not null, "verification_id" uuid not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "revision" int not null default 0, "content" jsonb not null, primary key ("id"));
alter table "simulated_session" add constraint "simulated_session_token_hash_unique" unique ("token_hash");
create index "simulated_session_verification" on "simulated_session" ("verification_id");
create index "simulated_session_created_at" on "simulated_session" ("created_at");

create table "tenant" ("id" uuid not null, "name" varchar(200) not null, "plan_name" varchar(64) not null, "subscription" text not null, "created_at" timestamptz(3) not null, "provisioned_by_issuer" varchar(500) null, "provisioned_by_subject" varchar(255) null, "disabled_at" timestamptz(3) null, "webhook_url" varchar(2048) null, "webhook_accepted_at" timestamptz(3) null, "return_url" varchar(2048) null, "test" boolean not null default false, "retention_days" int null, "test_events" int not null default 0, "deleted_change" bigint null, primary key ("id"));
create index "tenant_provisioned_by" on "tenant" ("provisioned_by_issuer", "provisioned_by_subject") where provisioned_by_subject is not null;
alter table "tenant" add constraint "tenant_subscription_check" check ("subscription" in ('active', 'inactive'));

create table "start_reservation" ("tenant_id" uuid not null, "id" uuid not null, "month" date not null, "created_at" timestamptz(3) not null, primary key ("tenant_id", "id"));
create index "start_reservation_created_at" on "start_reservation" ("created_at");

create table "member" ("tenant_id" uuid not null, "issuer" varchar(500) not null, "subject" varchar(255) not null, "id" uuid not null, "role" text not null, "added_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) null, "name" varchar(200) null, "email" varchar(320) null, primary key ("tenant_id", "issuer", "subject"));
create index "member_user" on "member" ("issuer", "subject");
alter table "member" add constraint "member_role_check" check ("role" in ('viewer', 'developer', 'owner'));

create table "invitation" ("tenant_id" uuid not null, "id" uuid not null, "role" text not null, "code_hash" varchar(64) not null, "inviter_issuer" varchar(500) not null, "inviter_subject" varchar(255) not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "accepted_at" timestamptz(3) null, "accepted_by_issuer" varchar(500) null, "accepted_by_subject" varchar(255) null, "revoked_at" timestamptz(3) null, "note" varchar(100) null, primary key ("tenant_id", "id"));
alter table "invitation" add constraint "invitation_code_hash_unique" unique ("code_hash");
create index "invitation_open" on "invitation" ("tenant_id", "expires_at") where accepted_at is null and revoked_at is null;
alter table "invitation" add constraint "invitation_role_check" check ("role" in ('viewer', 'developer', 'owner'));

create table "idempotency_key" ("tenant_id" uuid not null, "key_digest" uuid not null, "request_digest" uuid not null, "verification_id" uuid not null, "created_at" timestamptz(3) not null, "locked_until" timestamptz(3) null, "encrypted_session_url" bytea null, primary key ("tenant_id", "key_digest"));
create index "idempotency_key_verification_id" on "idempotency_key" ("verification_id");

create table "delivery" ("created_at" timestamptz(3) not null, "tenant_id" uuid not null, "verification_id" uuid not null, "due_at" timestamptz(3) not null, "attempted_at" timestamptz(3) null, "confidence" double precision not null, "attempts" smallint not null default 0, "state" text not null default 'new', "status" text not null, "provider" "identity_provider" not null default 'veriff', "type" "webhook_event_type" not null default 'verification.completed', "failure" varchar(32) null, primary key ("created_at", "tenant_id", "verification_id"));
create index "delivery_new" on "delivery" ("tenant_id", "due_at") where state = 'new';
create index "delivery_retry" on "delivery" ("due_at") where state = 'waiting';
create index "delivery_of_tenant_in_flight" on "delivery" ("tenant_id") where state = 'in_flight';
create index "delivery_attempted" on "delivery" ("tenant_id", "state", "attempted_at") where attempted_at is not null;
alter table "delivery" add constraint "delivery_state_check" check ("state" in ('new', 'waiting', 'in_flight', 'delivered', 'failed'));
alter table "delivery" add constraint "delivery_status_check" check ("status" in ('pending', 'started', 'submitted', 'approved', 'denied', 'resubmission', 'rejected'));

create table "audit_event" ("tenant_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "actor_kind" text not null, "actor_issuer" varchar(500) null, "actor_subject" varchar(255) null, "actor_name" varchar(255) null, "actor_ip" varchar(64) null, "action" varchar(64) not null, "target" varchar(500) null, "changes" jsonb not null, primary key ("tenant_id", "id"));
create index "audit_event_target" on "audit_event" ("target");
alter table "audit_event" add constraint "audit_event_actor_kind_check" check ("actor_kind" in ('member', 'api_key', 'operator', 'service'));

create table "api_key" ("tenant_id" uuid not null, "id" uuid not null, "name" varchar(100) not null, "hash" varchar(64) not null, "display_start" varchar(16) not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "created_by_kind" text null, "created_by_issuer" varchar(500) null, "created_by_subject" varchar(255) null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("tenant_id", "id"));
alter table "api_key" add constraint "api_key_hash_unique" unique ("hash");
create index "api_key_unrevoked" on "api_key" ("tenant_id", "expires_at") where revoked_at is null;
create index "api_key_ended" on "api_key" (least(revoked_at, expires_at));
alter table "api_key" add constraint "api_key_created_by_kind_check" check ("created_by_kind" in ('member', 'operator'));

create table "test_event" ("tenant_id" uuid not null, "id" int not null, "at" timestamptz(3) not null, "attempt" smallint not null, "url" varchar(2048) null, "headers" jsonb not null, "body" text not null, primary key ("tenant_id", "id"));
create index "test_event_at" on "test_event" ("at");

create table "token_signer" ("id" smallint not null, "kid" varchar(64) not null, "issuer" varchar(2048) not null, "lifetime_seconds" int not null, "status_indexes" int not null default 0, "status_key" bytea not null, primary key ("id"));
alter table "token_signer" add constraint "token_signer_terms" unique ("kid", "issuer", "lifetime_seconds");

create table "usage_day" ("tenant_id" uuid not null, "day" date not null, "started" int not null default 0, "approved" int not null default 0, "denied" int not null default 0, "rejected" int not null default 0, "submitted" int not null default 0, "resubmission" int not null default 0, "opened" int not null default 0, "user_submitted" int not null default 0, "over18" int not null default 0, "under18" int not null default 0, "adults_by_date" int not null default 0, "adults_by_year" int not null default 0, "adults_by_estimate" int not null default 0, "revoked_by_tenant" int not null default 0, "revoked_by_operator" int not null default 0, "revoked_by_provider" int not null default 0, "revoked_by_signing_key" int not null default 0, "revoked_by_erasure" int not null default 0, "erased" int not null default 0, primary key ("tenant_id", "day"));

create table "usage_month" ("tenant_id" uuid not null, "month" date not null, "used" int not null, primary key ("tenant_id", "month"));

create table "verification" ("id" uuid not null, "tenant_id" uuid not null, "completed_at" timestamptz(3) null, "decided_at" timestamptz(3) null, "confidence" double precision null, "token_revoked_at" timestamptz(3) null, "token_id" uuid null, "status" "verification_status" not null, "provider" "identity_provider" not null default 'veriff', "token_status_index" int null, "revision" smallint not null default 0, "token_signer" smallint null, "test" boolean not null default false, "over18" boolean null, "has_webhook" boolean null, "provider_session_id" varchar(200) not null, "attempt_id" varchar(200) null, "past_attempt_ids" text[] null, "token_signature" bytea null, "change" bigint null, "timeline" verification_change[] null, primary key ("id")) with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.05);
create index "verification_tenant" on "verification" ("tenant_id", "id");
create index "verification_changes" on "verification" ("tenant_id", "change") where change is not null;

create table "verification_outcome" ("tenant_id" uuid not null, "status" "verification_status" not null, "verification_id" uuid not null, primary key ("tenant_id", "status", "verification_id"));

create table "webhook_secret" ("tenant_id" uuid not null, "id" uuid not null, "encrypted_secret" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, primary key ("tenant_id", "id"));
create index "webhook_secret_expires_at" on "webhook_secret" ("expires_at") where expires_at is not null;

alter table "tenant" add constraint "tenant_plan_name_foreign" foreign key ("plan_name") references "plan" ("name");

alter table "start_reservation" add constraint "start_reservation_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "member" add constraint "member_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "invitation" add constraint "invitation_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "idempotency_key" add constraint "idempotency_key_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "delivery" add constraint "delivery_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "audit_event" add constraint "audit_event_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "api_key" add constraint "api_key_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "test_event" add constraint "test_event_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");

alter table "webhook_secret" add constraint "webhook_secret_tenant_id_foreign" foreign key ("tenant_id") references "tenant" ("id");
