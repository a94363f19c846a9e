/**
 * The coordinator's role is a lease with an epoch. Every process that takes it up gets the next epoch, and steps of an older
 * one are refused. Another machine may take the role only when the lease has run out.
 */
export const leadershipMigration = `
ALTER TABLE ambit.head ADD COLUMN epoch bigint NOT NULL DEFAULT 0,
  ADD COLUMN lease_ms double precision NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION ambit.claim(p_project text, p_machine text, p_name text, p_how text)
  RETURNS TABLE (machine text, machine_name text)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE ambit.head h SET machine = p_machine, machine_name = p_name, epoch = h.epoch + 1, lease_ms = 0
    WHERE h.project = p_project AND h.machine IS DISTINCT FROM p_machine
      AND ((p_how = 'take' AND h.lease_ms < ambit.now_ms()) OR (p_how = 'ask' AND h.machine IS NULL));
  UPDATE ambit.head h SET machine = NULL, machine_name = NULL, epoch = h.epoch + 1, lease_ms = 0
    WHERE h.project = p_project AND p_how = 'leave' AND h.machine = p_machine;
  RETURN QUERY SELECT h.machine, h.machine_name FROM ambit.head h WHERE h.project = p_project;
END $$;

CREATE FUNCTION ambit.lead(p_project text, p_machine text, p_lease double precision) RETURNS double precision
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE ambit.head h SET epoch = h.epoch + 1, lease_ms = ambit.now_ms() + p_lease
    WHERE h.project = p_project AND h.machine = p_machine RETURNING h.epoch::double precision
$$;

CREATE FUNCTION ambit.lead_on(p_project text, p_epoch bigint, p_lease double precision) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  UPDATE ambit.head h SET lease_ms = CASE WHEN p_lease > 0 THEN ambit.now_ms() + p_lease ELSE 0 END
    WHERE h.project = p_project AND h.epoch = p_epoch;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;

ALTER FUNCTION ambit.append(text, json) RENAME TO append_unchecked;
REVOKE ALL ON FUNCTION ambit.append_unchecked(text, json) FROM PUBLIC, ambit_worker;

CREATE FUNCTION ambit.append(p_project text, p_batch json) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_epoch bigint;
BEGIN
  IF p_batch->>'epoch' IS NOT NULL THEN
    SELECT h.epoch INTO v_epoch FROM ambit.head h WHERE h.project = p_project FOR UPDATE;
    IF v_epoch IS DISTINCT FROM (p_batch->>'epoch')::bigint THEN
      RAISE EXCEPTION 'another process coordinates this project now' USING ERRCODE = 'AM403';
    END IF;
  END IF;
  PERFORM ambit.append_unchecked(p_project, p_batch);
END $$;

REVOKE ALL ON FUNCTION ambit.append(text, json), ambit.lead(text, text, double precision),
  ambit.lead_on(text, bigint, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ambit.append(text, json), ambit.lead(text, text, double precision),
  ambit.lead_on(text, bigint, double precision) TO ambit_worker;
`;
