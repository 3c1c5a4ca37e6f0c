// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The one ERC-3009 function that the escrow calls, in the form that takes a signature of any length
interface IReceiveWithAuthorization {
    /// @notice Moves `value` from `from` to `to`, which must be the caller, with `from`'s signature.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
