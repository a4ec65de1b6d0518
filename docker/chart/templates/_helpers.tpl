{{- define "auditor.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "auditor.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* of (root, component) */}}
{{- define "auditor.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "auditor.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* what all pods have; nothing but data and temporary files can be written */}}
{{- define "auditor.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: log-in
    secret:
      secretName: {{ .Values.store.secret }}
      # the group of the pod, as which the auditor runs, reads it
      defaultMode: 0440
      items: [{key: password, path: password}]
  - name: data
    persistentVolumeClaim:
      claimName: {{ .Values.data.existingClaim | default (include "auditor.name" .) }}
  - name: temporary
    emptyDir: {}
  {{- if .Values.policy }}
  - name: policy
    configMap:
      name: {{ include "auditor.name" . }}
  {{- end }}
{{- end }}

{{/* what all containers have */}}
{{- define "auditor.container" -}}
image: {{ include "auditor.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: log-in, mountPath: /run/secrets/auditor-store, readOnly: true}
  - {name: data, mountPath: /data}
  - {name: temporary, mountPath: /tmp}
  {{- if .Values.policy }}
  - {name: policy, mountPath: /etc/auditor, readOnly: true}
  {{- end }}
{{- with .Values.environmentSecrets }}
envFrom:
  {{- range . }}
  - secretRef: {name: {{ . }}}
  {{- end }}
{{- end }}
env:
  - {name: NEO4J_URI, value: {{ .Values.store.uri | quote }}}
  - {name: NEO4J_USERNAME, value: {{ .Values.store.username | quote }}}
  - {name: NEO4J_PASSWORD_FILE, value: /run/secrets/auditor-store/password}
  {{- if .Values.policy }}
  - {name: AUDITOR_POLICY, value: /etc/auditor/policy.toml}
  {{- end }}
  {{- range $name, $value := .Values.environment }}
  - {name: {{ $name }}, value: {{ $value | quote }}}
  {{- end }}
{{- end }}
