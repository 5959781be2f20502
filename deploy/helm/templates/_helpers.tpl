{{- define "portico.labels" -}}
app.kubernetes.io/name: portico
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "portico.selector" -}}
app.kubernetes.io/name: portico
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end }}

{{- define "portico.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- /* The part of a container that the server and the migration share. */ -}}
{{- define "portico.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ .Values.secretName }}
env:
  {{- range $name := list "PUBLIC_URL" "MAIL_FROM" "TRUSTED_PROXIES" }}
  {{- if not (index $.Values.settings $name) }}
  {{- fail (printf "settings.%s is not set" $name) }}
  {{- end }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  - name: MANAGEMENT_PORT
    value: {{ .Values.managementPort | quote }}
  - name: MIGRATE
    value: {{ ternary "separately" "at-start" .Values.migrate.enabled }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: temporary
    mountPath: /tmp
  {{- if .Values.configClaim }}
  - name: config
    mountPath: /portico/config
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* The volumes that the server and the migration share. */ -}}
{{- define "portico.sharedVolumes" -}}
- name: temporary
  emptyDir: {}
{{- if .Values.configClaim }}
- name: config
  persistentVolumeClaim:
    claimName: {{ .Values.configClaim }}
    readOnly: true
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "portico.volumes" -}}
{{ include "portico.sharedVolumes" . }}
- name: data
  {{- if .Values.uploadsClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.uploadsClaim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
