// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestWallet} from "./TestWallet.sol";

/// @title Deploys contract wallets at their predicted addresses. For tests only.
contract TestWalletFactory {
    function deploy(address owner) external returns (TestWallet) {
        return new TestWallet{salt: 0}(owner);
    }

    /// @notice Where the owner's wallet is, or will be.
    function walletOf(address owner) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(TestWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), bytes32(0), code)))));
    }
}
