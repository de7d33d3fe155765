/// \file weft.h
/// The whole public API in one include. Declares nothing itself.
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/base.h>
#include <weft/command.h>
#include <weft/device.h>
#include <weft/format.h>
#include <weft/frame.h>
#include <weft/pipeline.h>
#include <weft/query.h>
#include <weft/report.h>
#include <weft/resource.h>
#include <weft/rules.h>
#include <weft/shader.h>
#include <weft/surface.h>
#include <weft/sync.h>

#endif
